import type { Row } from "../vendor-api.ts";

/** What the API refuses, with its status and its words. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 402 | 404;
  readonly type: string;
  constructor(status: Refusal["status"], message: string, type = "invalid_request_error") {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** A key of a form as the names that it is made of: `items[0][price]`. */
const namesOf = (key: string): readonly string[] => key.replaceAll("]", "").split("[");

/** A form as the object that its keys stand for; maps of whole numbers are lists. */
export function readForm(text: string): Row {
  const root: Row = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const names = namesOf(key);
    let at = root;
    for (const name of names.slice(0, -1)) {
      const next = (at[name] ?? {}) as Row;
      at[name] = next;
      at = next;
    }
    at[names.at(-1) ?? ""] = value;
  }
  return root;
}

export const listIn = (value: unknown): readonly Row[] =>
  Object.values((value ?? {}) as Row) as Row[];

const wholeIn = (value: unknown): number | null => (value === undefined ? null : Number(value));

/** Which members of forms are numbers and truths: a form has texts alone. */
const NUMBERS = new Set(
  "amount unit_amount percent_off amount_off days_until_due duration_in_months max_redemptions".split(
    " ",
  ),
);
const TRUTHS = new Set(["active", "auto_advance", "cancel_at_period_end"]);

const valueIn = (name: string, value: unknown): unknown => {
  if (NUMBERS.has(name)) return wholeIn(value);
  return TRUTHS.has(name) ? value === "true" : value;
};

/** A form's members in the types that rows have. */
export const typed = (form: Row): Row =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, valueIn(name, value)]));

const CREATED = 1_767_225_600;

/** Rows by the path of their list, the latest last. */
export class Books {
  readonly #rows = new Map<string, Map<string, Row>>();
  #count = 0;

  of(list: string): Map<string, Row> {
    const known = this.#rows.get(list) ?? new Map<string, Row>();
    this.#rows.set(list, known);
    return known;
  }

  /** A new row, with an id of this prefix unless it has one. */
  add(list: string, prefix: string, row: Row): Row {
    this.#count += 1;
    const id = typeof row["id"] === "string" ? row["id"] : `${prefix}_${this.#count}`;
    const made = { metadata: {}, created: CREATED + this.#count, ...row, id };
    this.of(list).set(id, made);
    return made;
  }

  /** The row of an id, or the refusal that the API gives. */
  one(list: string, id: unknown, what: string): Row {
    const row = this.of(list).get(String(id));
    if (row === undefined) throw new Refusal(404, `No such ${what}: '${String(id)}'`);
    return row;
  }
}

/** Metadata is merged, all else replaced. */
export function update(row: Row, form: Row): Row {
  const { metadata, ...rest } = typed(form);
  const own = row["metadata"] as Row;
  return Object.assign(row, rest, { metadata: { ...own, ...(metadata as Row | undefined) } });
}

/** Books with 230 customers, of whom some have bought something. */
export function seeded(): Books {
  const books = new Books();
  for (let n = 1; n <= 230; n += 1) {
    const name = `Customer ${n}`;
    books.add("customers", "cus", { id: `cus_${n}`, name, email: `c${n}@example.com`, balance: 0 });
  }
  books.add("products", "prod", { id: "prod_1", name: "Berth", active: true });
  const price = { product: "prod_1", currency: "eur", unit_amount: 1_200, active: true };
  books.add("prices", "price", { id: "price_1", type: "recurring", ...price });
  books.add("coupons", "coupon", { id: "SPRING", percent_off: 20, duration: "once", valid: true });
  return books;
}
