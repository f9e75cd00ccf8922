import { type Context, Hono } from "hono";
import type { Endings } from "../endings.ts";
import { type Row, serveVendorApi, type VendorApi } from "../vendor-api.ts";
import { type Books, listIn, readForm, Refusal, seeded, typed, update } from "./stripe-books.ts";

export const TOKEN = "rk_test_of-the-test";

const formOf = async (c: Context): Promise<Row> => readForm(await c.req.text());

function demand(form: Row, ...names: readonly string[]): Row {
  for (const name of names)
    if (form[name] === undefined) throw new Refusal(400, `Missing required param: ${name}.`);
  return form;
}

/** A page: the latest first, those after the row that is named, and whether there are more. */
function page(c: Context, all: Iterable<Row>): Response {
  const rows = [...all].toReversed();
  const { limit = "10", starting_after: after } = c.req.query();
  const size = Number(limit);
  if (!(size >= 1 && size <= 100)) throw new Refusal(400, "limit must be between 1 and 100");
  const at = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && at === 0) throw new Refusal(400, `No such object: '${after}'`);
  const data = rows.slice(at, at + size);
  return c.json({ object: "list", url: c.req.path, has_more: at + size < rows.length, data });
}

interface Resource {
  readonly list: string;
  readonly prefix: string;
  readonly called: string;
  /** parameters of the list, each the member of a row that it must be */
  readonly filters: readonly string[];
}

/** List and get of a resource, which all of them have alike. */
function addReads(app: Hono, books: Books, { list, called, filters }: Resource): void {
  app.get(`/v1/${list}`, (c) => {
    const asked = filters.flatMap((name) => {
      const value = c.req.query(name);
      return value === undefined || value === "all" ? [] : [[name, value] as const];
    });
    const found = [...books.of(list).values()].filter((row) =>
      asked.every(([name, value]) => String(row[name]) === value),
    );
    const isOpen = list !== "subscriptions" || c.req.query("status") !== undefined;
    return page(
      c,
      found.filter(({ status }) => isOpen || status !== "canceled"),
    );
  });
  app.get(`/v1/${list}/:id`, (c) => c.json(books.one(list, c.req.param("id"), called)));
}

/** Create, update and delete of what needs nothing but its members. */
function addPlain(
  app: Hono,
  books: Books,
  { list, prefix, called }: Resource,
  { needs, defaults }: { readonly needs: readonly string[]; readonly defaults: Row },
): void {
  app.post(`/v1/${list}`, async (c) => {
    const form = demand(await formOf(c), ...needs);
    if (form["product"] !== undefined) books.one("products", form["product"], "product");
    return c.json(books.add(list, prefix, { ...defaults, ...typed(form) }));
  });
  app.post(`/v1/${list}/:id`, async (c) =>
    c.json(update(books.one(list, c.req.param("id"), called), await formOf(c))),
  );
  app.delete(`/v1/${list}/:id`, (c) => {
    const { id } = books.one(list, c.req.param("id"), called);
    books.of(list).delete(String(id));
    return c.json({ id, object: called, deleted: true });
  });
}

const statusOf = (row: Row, wanted: string, does: string): void => {
  if (row["status"] !== wanted)
    throw new Refusal(
      400,
      `You can only ${does} while it is ${wanted}, it is ${String(row["status"])}.`,
    );
};

function addInvoices(app: Hono, books: Books): void {
  const one = (c: Context): Row => books.one("invoices", c.req.param("id"), "invoice");
  const linesOf = ({ id }: Row): readonly Row[] =>
    [...books.of("invoiceitems").values()].filter(({ invoice }) => invoice === id);
  app.post("/v1/invoices", async (c) => {
    const form = typed(demand(await formOf(c), "customer"));
    books.one("customers", form["customer"], "customer");
    const money = { total: 0, amount_due: 0, amount_paid: 0, amount_remaining: 0 };
    return c.json(
      books.add("invoices", "in", { status: "draft", currency: "eur", ...money, ...form }),
    );
  });
  app.post("/v1/invoices/:id", async (c) => {
    statusOf(one(c), "draft", "change an invoice");
    return c.json(update(one(c), await formOf(c)));
  });
  app.delete("/v1/invoices/:id", (c) => {
    const { id } = one(c);
    statusOf(one(c), "draft", "delete an invoice");
    books.of("invoices").delete(String(id));
    return c.json({ id, object: "invoice", deleted: true });
  });
  const step = (word: string, from: string, change: (row: Row) => Row): void => {
    app.post(`/v1/invoices/:id/${word}`, (c) => {
      const row = one(c);
      statusOf(row, from, `${word} an invoice`);
      return c.json(Object.assign(row, change(row)));
    });
  };
  step("finalize", "draft", (row) => {
    const total = linesOf(row).reduce((sum, { amount }) => sum + Number(amount), 0);
    const due = { total, amount_due: total, amount_remaining: total };
    return { status: "open", number: "INV-0001", ...due };
  });
  step("pay", "open", ({ total }) => ({ status: "paid", amount_paid: total, amount_remaining: 0 }));
  step("send", "open", () => ({}));
  step("void", "open", () => ({ status: "void" }));
}

function addSubscriptions(app: Hono, books: Books): void {
  const one = (c: Context): Row => books.one("subscriptions", c.req.param("id"), "subscription");
  app.post("/v1/subscriptions", async (c) => {
    const { items, ...form } = demand(await formOf(c), "customer", "items");
    books.one("customers", form["customer"], "customer");
    const data = listIn(items).map(({ price, quantity = "1" }, at) => ({
      id: `si_${at + 1}`,
      price: books.one("prices", price, "price"),
      quantity: Number(quantity),
    }));
    const status = form["trial_period_days"] === undefined ? "active" : "trialing";
    const row = { status, currency: "eur", cancel_at_period_end: false, ...typed(form) };
    return c.json(books.add("subscriptions", "sub", { ...row, items: { object: "list", data } }));
  });
  app.post("/v1/subscriptions/:id", async (c) => c.json(update(one(c), await formOf(c))));
  app.delete("/v1/subscriptions/:id", (c) =>
    c.json(Object.assign(one(c), { status: "canceled", canceled_at: 1_767_312_000 })),
  );
}

function addPayments(app: Hono, books: Books): void {
  const one = (c: Context): Row =>
    books.one("payment_intents", c.req.param("id"), "payment_intent");
  const charged = (intent: Row, amount: number): Row => {
    const { id, customer, currency } = intent;
    const row = {
      payment_intent: id,
      customer,
      currency,
      amount,
      amount_refunded: 0,
      refunded: false,
    };
    const charge = books.add("charges", "ch", { status: "succeeded", paid: true, ...row });
    const taken = { status: "succeeded", amount_received: amount, latest_charge: charge["id"] };
    return Object.assign(intent, taken);
  };
  app.post("/v1/payment_intents", async (c) => {
    const form = typed(demand(await formOf(c), "amount", "currency"));
    const { confirm, ...row } = form;
    const status =
      row["payment_method"] === undefined ? "requires_payment_method" : "requires_confirmation";
    const intent = books.add("payment_intents", "pi", { status, amount_received: 0, ...row });
    return c.json(confirm === "true" ? confirmed(intent) : intent);
  });
  const confirmed = (intent: Row): Row => {
    if (intent["payment_method"] === "pm_card_chargeDeclined")
      throw new Refusal(402, "Your card was declined.", "card_error");
    return intent["capture_method"] === "manual"
      ? Object.assign(intent, { status: "requires_capture" })
      : charged(intent, Number(intent["amount"]));
  };
  app.post("/v1/payment_intents/:id", async (c) => c.json(update(one(c), await formOf(c))));
  app.post("/v1/payment_intents/:id/confirm", async (c) =>
    c.json(confirmed(update(one(c), await formOf(c)))),
  );
  app.post("/v1/payment_intents/:id/capture", async (c) => {
    const intent = one(c);
    statusOf(intent, "requires_capture", "capture a payment");
    const { amount_to_capture: amount = intent["amount"] } = await formOf(c);
    return c.json(charged(intent, Number(amount)));
  });
  app.post("/v1/payment_intents/:id/cancel", async (c) => {
    if (one(c)["status"] === "succeeded")
      throw new Refusal(
        400,
        "You cannot cancel this PaymentIntent because it has a status of succeeded.",
      );
    return c.json(update(Object.assign(one(c), { status: "canceled" }), await formOf(c)));
  });
  app.post("/v1/refunds", async (c) => {
    const form = typed(demand(await formOf(c), "payment_intent"));
    const intent = books.one("payment_intents", form["payment_intent"], "payment_intent");
    const charge = books.one("charges", intent["latest_charge"], "charge");
    const left = Number(charge["amount"]) - Number(charge["amount_refunded"]);
    const amount = Number(form["amount"] ?? left);
    if (amount > left || left === 0)
      throw new Refusal(
        400,
        `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      );
    Object.assign(charge, { amount_refunded: Number(charge["amount"]) - left + amount });
    Object.assign(charge, { refunded: left === amount });
    const { currency, id } = charge;
    return c.json(
      books.add("refunds", "re", { status: "succeeded", charge: id, currency, ...form, amount }),
    );
  });
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  charge: {
    list: "charges",
    prefix: "ch",
    called: "charge",
    filters: ["customer", "payment_intent"],
  },
  coupon: { list: "coupons", prefix: "coupon", called: "coupon", filters: [] },
  customer: { list: "customers", prefix: "cus", called: "customer", filters: ["email"] },
  event: { list: "events", prefix: "evt", called: "event", filters: ["type"] },
  item: {
    list: "invoiceitems",
    prefix: "ii",
    called: "invoiceitem",
    filters: ["customer", "invoice"],
  },
  invoice: {
    list: "invoices",
    prefix: "in",
    called: "invoice",
    filters: ["customer", "subscription", "status"],
  },
  intent: {
    list: "payment_intents",
    prefix: "pi",
    called: "payment_intent",
    filters: ["customer"],
  },
  price: {
    list: "prices",
    prefix: "price",
    called: "price",
    filters: ["product", "currency", "active"],
  },
  product: { list: "products", prefix: "prod", called: "product", filters: ["active"] },
  refund: {
    list: "refunds",
    prefix: "re",
    called: "refund",
    filters: ["charge", "payment_intent"],
  },
  subscription: {
    list: "subscriptions",
    prefix: "sub",
    called: "subscription",
    filters: ["customer", "status"],
  },
};

const PLAIN: Readonly<
  Record<string, { readonly needs: readonly string[]; readonly defaults: Row }>
> = {
  coupon: { needs: [], defaults: { duration: "once", valid: true, times_redeemed: 0 } },
  customer: { needs: [], defaults: { balance: 0, delinquent: false } },
  item: { needs: ["customer"], defaults: { currency: "eur", quantity: 1 } },
  price: { needs: ["product", "currency"], defaults: { active: true } },
  product: { needs: ["name"], defaults: { active: true } },
};

/**
 * Starts a server that behaves as Stripe's API does by its public reference, on data of its own: bodies are forms, lists go on
 * after the id of their last row, refusals have a type and a message.
 */
export const startStripe = (endings: Endings): Promise<VendorApi> =>
  serveVendorApi(endings, () => {
    const app = new Hono();
    const books = seeded();
    app.use(async (c, next) => {
      if (c.req.header("authorization") !== `Bearer ${TOKEN}`)
        throw new Refusal(401, "Invalid API Key provided");
      const type = c.req.header("content-type") ?? "";
      if (type !== "" && !type.startsWith("application/x-www-form-urlencoded"))
        throw new Refusal(400, `Invalid request content type: ${type}`);
      await next();
    });
    app.get("/v1/balance", (c) =>
      c.json({ available: [{ amount: 4_200, currency: "eur" }], pending: [], livemode: false }),
    );
    for (const resource of Object.values(RESOURCES)) addReads(app, books, resource);
    for (const [name, how] of Object.entries(PLAIN)) {
      const resource = RESOURCES[name];
      if (resource !== undefined) addPlain(app, books, resource, how);
    }
    for (const add of [addInvoices, addSubscriptions, addPayments]) add(app, books);
    app.notFound((c) =>
      c.json(
        { error: { type: "invalid_request_error", message: "Unrecognized request URL" } },
        404,
      ),
    );
    app.onError((error, c) => {
      if (!(error instanceof Refusal))
        return c.json({ error: { type: "api_error", message: error.message } }, 500);
      const { status, type, message } = error;
      return c.json({ error: { type, message } }, status);
    });
    return app;
  });
