import type { Row } from "../vendor-api.ts";

/** What the API refuses, with its status, its code and its words. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 404;
  readonly code: string;
  constructor(status: Refusal["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const invalid = (message: string): Refusal => new Refusal(400, "validation_error", message);

const CREATED = "2026-01-05T09:00:00.000Z";
export const BOT = { object: "user", id: "00000000-0000-4000-8000-0000000000b0" };

/** A text that was sent; what is none is empty. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const rowOf = (value: unknown): Row => (value ?? {}) as Row;
export const listOf = (value: unknown): readonly Row[] =>
  Array.isArray(value) ? (value as Row[]) : [];

/** Rich text as it is answered: what was sent, and its plain text. */
export const answeredText = (value: unknown): readonly Row[] =>
  listOf(value).map((one) => {
    const { content, link = null } = rowOf(one["text"]);
    if (typeof content !== "string")
      throw invalid("body failed validation: rich_text[0].text.content should be defined.");
    return { type: "text", text: { content, link }, plain_text: content, href: null };
  });

export const plainText = (value: unknown): string =>
  listOf(value)
    .map((one) => String(one["plain_text"]))
    .join("");

/** The types of blocks that hold rich text. */
const TEXTS = new Set(
  `paragraph heading_1 heading_2 heading_3 bulleted_list_item numbered_list_item toggle quote callout to_do code`.split(
    " ",
  ),
);

/** What a block of a type says, as it is answered. */
export function answeredContent(type: string, value: unknown): Row {
  if (!TEXTS.has(type)) throw invalid(`body failed validation: ${type} is not supported.`);
  const { rich_text: text, ...rest } = rowOf(value);
  const own = type === "to_do" ? { checked: false } : {};
  return { ...own, ...rest, ...(text === undefined ? {} : { rich_text: answeredText(text) }) };
}

/** Pages, databases, blocks, comments and people by id, each kind in order of making. */
export class Workspace {
  readonly pages = new Map<string, Row>();
  readonly databases = new Map<string, Row>();
  readonly blocks = new Map<string, Row>();
  readonly comments = new Map<string, Row>();
  readonly users = new Map<string, Row>();
  /** ids of the blocks of a page or block, in order */
  readonly children = new Map<string, string[]>();
  #made = 0;

  id(): string {
    this.#made += 1;
    return `00000000-0000-4000-8000-${String(this.#made).padStart(12, "0")}`;
  }

  one(of: ReadonlyMap<string, Row>, id: string, what: string): Row {
    const found = of.get(id);
    if (found !== undefined) return found;
    const shared = "Make sure the relevant pages and databases are shared with your integration.";
    throw new Refusal(404, "object_not_found", `Could not find ${what} with ID: ${id}. ${shared}`);
  }

  #stamped(object: string): Row {
    const by = { created_by: BOT, last_edited_by: BOT };
    const times = { created_time: CREATED, last_edited_time: CREATED };
    return { object, id: this.id(), ...times, ...by, in_trash: false, archived: false };
  }

  /** A page in a page, with a title alone, or a row of a database, with its columns. */
  addPage(form: Row): Row {
    const { database_id: database, page_id: page } = rowOf(form["parent"]);
    if ((database === undefined) === (page === undefined))
      throw invalid("body failed validation: body.parent should have one of database_id, page_id.");
    const table =
      database === undefined ? null : this.one(this.databases, textOf(database), "database");
    if (table === null) this.one(this.pages, textOf(page), "page");
    const schema = table === null ? { title: { type: "title" } } : rowOf(table["properties"]);
    const parent =
      table === null
        ? { type: "page_id", page_id: page }
        : { type: "database_id", database_id: database };
    const row: Row = { ...this.#stamped("page"), parent, icon: form["icon"] ?? null };
    Object.assign(row, { properties: answeredProperties(schema, form["properties"]) });
    Object.assign(row, { url: `https://www.notion.so/${String(row["id"]).replaceAll("-", "")}` });
    this.pages.set(String(row["id"]), row);
    this.addBlocks(String(row["id"]), listOf(form["children"]));
    return row;
  }

  updatePage(id: string, form: Row): Row {
    const row = this.one(this.pages, id, "page");
    if (row["in_trash"] === true && form["in_trash"] !== false)
      throw invalid(
        "Can't edit block that is archived. You must unarchive the block before editing.",
      );
    const table = this.databases.get(String(rowOf(row["parent"])["database_id"]));
    const schema = table === undefined ? { title: { type: "title" } } : rowOf(table["properties"]);
    const { properties, ...rest } = form;
    const changed = answeredProperties(schema, properties ?? {});
    return Object.assign(row, rest, { properties: { ...rowOf(row["properties"]), ...changed } });
  }

  addDatabase(form: Row): Row {
    const { page_id: page } = rowOf(form["parent"]);
    this.one(this.pages, textOf(page), "page");
    const columns = Object.entries(rowOf(form["properties"])).map(([name, value]) => {
      const [type = ""] = Object.keys(rowOf(value));
      return [name, { id: name.toLowerCase(), name, type, ...rowOf(value) }] as const;
    });
    if (columns.filter(([, { type }]) => type === "title").length !== 1)
      throw invalid("Title is not provided");
    const row: Row = {
      ...this.#stamped("database"),
      title: answeredText(form["title"]),
      description: [],
      is_inline: form["is_inline"] ?? false,
      parent: { type: "page_id", page_id: page },
      properties: Object.fromEntries(columns),
    };
    this.databases.set(String(row["id"]), row);
    return Object.assign(row, { url: "https://www.notion.so/a-database" });
  }

  /** Blocks at the end of a page or block, or after one of its blocks. */
  addBlocks(parent: string, forms: readonly Row[], after?: string): readonly Row[] {
    if (forms.length > 100)
      throw invalid("body failed validation: body.children.length should be ≤ `100`.");
    const own = this.children.get(parent) ?? [];
    this.children.set(parent, own);
    const at = after === undefined ? own.length : own.indexOf(after) + 1;
    const made = forms.map((form) => {
      const type = Object.keys(form).find((key) => key !== "object" && key !== "type") ?? "";
      const { children, ...content } = rowOf(form[type]);
      const row: Row = { ...this.#stamped("block"), type, has_children: false };
      row["parent"] = this.pages.has(parent)
        ? { type: "page_id", page_id: parent }
        : { type: "block_id", block_id: parent };
      row[type] = answeredContent(type, content);
      this.blocks.set(String(row["id"]), row);
      if (children !== undefined) this.addBlocks(String(row["id"]), listOf(children));
      return row;
    });
    own.splice(at, 0, ...made.map(({ id }) => String(id)));
    const block = this.blocks.get(parent);
    if (block !== undefined && made.length > 0) block["has_children"] = true;
    return made;
  }

  /** The blocks of a page or block that are not in the trash. */
  blocksOf(parent: string): readonly Row[] {
    const own = this.children.get(parent) ?? [];
    return own
      .flatMap((id): readonly Row[] => {
        const block = this.blocks.get(id);
        return block === undefined ? [] : [block];
      })
      .filter((block) => block["in_trash"] !== true);
  }

  addComment(form: Row): Row {
    const { page_id: page } = rowOf(form["parent"]);
    const { discussion_id: said } = form;
    if ((page === undefined) === (said === undefined))
      throw invalid("body failed validation: one of parent, discussion_id should be defined.");
    const first = [...this.comments.values()].find((one) => one["discussion_id"] === said);
    if (said !== undefined && first === undefined)
      throw new Refusal(
        404,
        "object_not_found",
        `Could not find discussion with ID: ${textOf(said)}.`,
      );
    if (page !== undefined) this.one(this.pages, textOf(page), "page");
    const { in_trash: _trash, archived: _archived, ...stamped } = this.#stamped("comment");
    const row: Row = {
      ...stamped,
      parent: first?.["parent"] ?? { type: "page_id", page_id: page },
      discussion_id: said ?? this.id(),
      rich_text: answeredText(form["rich_text"]),
    };
    this.comments.set(String(row["id"]), row);
    return row;
  }
}

/** Values of columns as they are answered; refuses a column that the database does not have. */
function answeredProperties(schema: Row, values: unknown): Row {
  return Object.fromEntries(
    Object.entries(rowOf(values)).map(([name, value]) => {
      if (schema[name] === undefined) throw invalid(`${name} is not a property that exists.`);
      const type = String(rowOf(schema[name])["type"]);
      const given = Array.isArray(value) ? value : rowOf(value)[type];
      if (given === undefined) throw invalid(`${name} is expected to be ${type}.`);
      const answer = type === "title" || type === "rich_text" ? answeredText(given) : given;
      return [name, { id: name.toLowerCase(), type, [type]: answer }];
    }),
  );
}

/** The title of a page, of whatever name its column is, or of a database. */
export function titleOf(row: Row): string {
  if (Array.isArray(row["title"])) return plainText(row["title"]);
  const columns = Object.values(rowOf(row["properties"])) as readonly Row[];
  return plainText(columns.find(({ type }) => type === "title")?.["title"]);
}

const text = (content: string): readonly Row[] => [{ text: { content } }];

/** A workspace with a handbook, which holds a database of 130 tasks. */
export function seeded(): {
  readonly space: Workspace;
  readonly ids: Readonly<Record<string, string>>;
} {
  const space = new Workspace();
  const people = ["Ann", "Bob"].map((name) => {
    const id = space.id();
    const person = { email: `${name.toLowerCase()}@example.com` };
    space.users.set(id, { object: "user", id, type: "person", name, avatar_url: null, person });
    return id;
  });
  space.users.set(BOT.id, { ...BOT, type: "bot", name: "Plasm", avatar_url: null, bot: {} });
  const root: Row = { object: "page", id: space.id() };
  space.pages.set(String(root["id"]), root);
  const home = space.addPage({
    parent: { page_id: root["id"] },
    properties: { title: text("Handbook") },
    children: [
      { heading_1: { rich_text: text("Welcome") } },
      { paragraph: { rich_text: text("Read this first.") } },
      {
        toggle: { rich_text: text("More"), children: [{ quote: { rich_text: text("Be kind.") } }] },
      },
      { to_do: { rich_text: text("Say hello") } },
    ],
  });
  space.pages.delete(String(root["id"]));
  home["parent"] = { type: "workspace", workspace: true };
  const database = space.addDatabase({
    parent: { page_id: home["id"] },
    title: text("Tasks"),
    properties: {
      Name: { title: {} },
      Status: { status: {} },
      Due: { date: {} },
      "Time spent": { number: {} },
    },
  });
  for (let n = 1; n <= 130; n += 1) {
    const properties = {
      Name: { title: text(`Task ${n}`) },
      Status: { status: { name: n % 10 === 0 ? "Done" : "Open" } },
      Due: { date: { start: `2026-02-${String(1 + (n % 28)).padStart(2, "0")}` } },
      "Time spent": { number: n },
    };
    space.addPage({ parent: { database_id: database["id"] }, properties });
  }
  const [ann = "", bob = ""] = people;
  return { space, ids: { home: String(home["id"]), tasks: String(database["id"]), ann, bob } };
}
