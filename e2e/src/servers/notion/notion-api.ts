import { type Context, Hono } from "hono";
import type { Endings } from "../endings.ts";
import { type Row, serveVendorApi, type VendorApi } from "../vendor-api.ts";
import {
  answeredContent,
  answeredText,
  BOT,
  invalid,
  listOf,
  plainText,
  Refusal,
  rowOf,
  seeded,
  textOf,
  titleOf,
  type Workspace,
} from "./notion-workspace.ts";

export const TOKEN = "ntn_of-the-test";

const formOf = async (c: Context): Promise<Row> => rowOf(await c.req.json());

/** A page of rows, from the id that `start_cursor` is on. */
function page(c: Context, rows: readonly Row[], asked: Row, type: string): Response {
  const size = Number(asked["page_size"] ?? 100);
  if (!(size >= 1 && size <= 100))
    throw invalid("body failed validation: body.page_size should be ≤ `100`.");
  const { start_cursor: cursor } = asked;
  const at = cursor === undefined ? 0 : rows.findIndex(({ id }) => id === cursor);
  if (at === -1) throw invalid(`The start_cursor provided is invalid: ${String(cursor)}`);
  const next = rows[at + size]?.["id"] ?? null;
  const results = rows.slice(at, at + size);
  return c.json({ object: "list", results, next_cursor: next, has_more: next !== null, type });
}

/** What a column of a row holds, as conditions and sorts compare it. */
function valueOf(row: Row, name: string): unknown {
  const column = rowOf(rowOf(row["properties"])[name]);
  const type = String(column["type"]);
  const value = column[type];
  if (type === "title" || type === "rich_text") return plainText(value);
  if (type === "status" || type === "select") return rowOf(value)["name"];
  return type === "date" ? rowOf(value)["start"] : value;
}

function meets(table: Row, row: Row, filter: Row): boolean {
  if (filter["and"] !== undefined)
    return listOf(filter["and"]).every((one) => meets(table, row, one));
  if (filter["or"] !== undefined) return listOf(filter["or"]).some((one) => meets(table, row, one));
  const name = String(filter["property"]);
  const type = textOf(rowOf(rowOf(table["properties"])[name])["type"]);
  if (type === "") throw invalid(`Could not find property with name or id: ${name}`);
  const value = valueOf(row, name);
  const test = rowOf(filter[type]);
  return Object.entries(test).every(([operator, wanted]) => {
    if (operator === "equals") return value === wanted;
    if (operator === "contains") return String(value).includes(String(wanted));
    if (operator === "on_or_before") return String(value) <= String(wanted);
    throw invalid(`body failed validation: body.filter.${type}.${operator} is not supported.`);
  });
}

function sorted(rows: readonly Row[], sorts: readonly Row[]): readonly Row[] {
  const compare = (a: Row, b: Row): number => {
    for (const { property, direction } of sorts) {
      const [left, right] = [valueOf(a, String(property)), valueOf(b, String(property))];
      if (left === right) continue;
      const isBefore =
        typeof left === "number" ? left < Number(right) : String(left) < String(right);
      return isBefore === (direction === "descending") ? 1 : -1;
    }
    return 0;
  };
  return rows.toSorted(compare);
}

function addPagesAndDatabases(app: Hono, space: Workspace): void {
  app.post("/v1/pages", async (c) => c.json(space.addPage(await formOf(c))));
  app.get("/v1/pages/:id", (c) => c.json(space.one(space.pages, c.req.param("id"), "page")));
  app.patch("/v1/pages/:id", async (c) =>
    c.json(space.updatePage(c.req.param("id"), await formOf(c))),
  );
  app.post("/v1/databases", async (c) => c.json(space.addDatabase(await formOf(c))));
  const table = (c: Context): Row =>
    space.one(space.databases, c.req.param("id") ?? "", "database");
  app.get("/v1/databases/:id", (c) => c.json(table(c)));
  app.patch("/v1/databases/:id", async (c) => {
    const { title, ...form } = await formOf(c);
    const named = title === undefined ? {} : { title: answeredText(title) };
    return c.json(Object.assign(table(c), form, named));
  });
  app.post("/v1/databases/:id/query", async (c) => {
    const form = await formOf(c);
    const all = [...space.pages.values()].filter((row) => {
      const isOwn = rowOf(row["parent"])["database_id"] === c.req.param("id");
      return isOwn && row["in_trash"] === (form["in_trash"] ?? form["archived"] ?? false);
    });
    const { filter } = form;
    const found =
      filter === undefined ? all : all.filter((row) => meets(table(c), row, rowOf(filter)));
    return page(c, sorted(found, listOf(form["sorts"])), form, "page_or_database");
  });
  app.post("/v1/search", async (c) => {
    const form = await formOf(c);
    const { property, value } = rowOf(form["filter"]);
    if (property !== "object") throw invalid('body.filter.property should be `"object"`');
    const words = textOf(form["query"]).toLowerCase();
    const kind = value === "page" ? space.pages : space.databases;
    const found = [...kind.values()].filter(
      (row) => row["in_trash"] !== true && titleOf(row).toLowerCase().includes(words),
    );
    return page(c, found, form, "page_or_database");
  });
}

function addBlocks(app: Hono, space: Workspace): void {
  const one = (c: Context): Row => space.one(space.blocks, c.req.param("id") ?? "", "block");
  const parent = (c: Context): string => {
    const id = c.req.param("id") ?? "";
    if (!space.pages.has(id)) space.one(space.blocks, id, "block");
    return id;
  };
  app.get("/v1/blocks/:id", (c) => c.json(one(c)));
  app.patch("/v1/blocks/:id", async (c) => {
    const block = one(c);
    const type = String(block["type"]);
    const { in_trash: trash, ...form } = await formOf(c);
    const other = Object.keys(form).find((key) => key !== type);
    if (other !== undefined)
      throw invalid(`body failed validation: a ${type} block cannot become ${other}.`);
    const said = form[type] === undefined ? {} : answeredContent(type, form[type]);
    Object.assign(block, { [type]: { ...rowOf(block[type]), ...said } });
    return c.json(Object.assign(block, trash === undefined ? {} : { in_trash: trash }));
  });
  app.delete("/v1/blocks/:id", (c) => {
    const gone = { in_trash: true, archived: true };
    const page = space.pages.get(c.req.param("id"));
    if (page !== undefined) Object.assign(page, gone);
    return c.json(page === undefined ? Object.assign(one(c), gone) : { ...page, object: "block" });
  });
  app.get("/v1/blocks/:id/children", (c) =>
    page(c, space.blocksOf(parent(c)), c.req.query(), "block"),
  );
  app.patch("/v1/blocks/:id/children", async (c) => {
    const { children, after } = await formOf(c);
    const made = space.addBlocks(parent(c), listOf(children), after as string | undefined);
    return page(c, made, {}, "block");
  });
}

/**
 * Starts a server that behaves as Notion's API does by its public reference, on a workspace of its own: every request
 * has a version, lists go on by a cursor, refusals have a code and a message.
 */
export async function startNotion(
  endings: Endings,
): Promise<VendorApi & { readonly ids: Readonly<Record<string, string>> }> {
  const { space, ids } = seeded();
  const api = await serveVendorApi(endings, () => {
    const app = new Hono();
    app.use(async (c, next) => {
      if (c.req.header("authorization") !== `Bearer ${TOKEN}`)
        throw new Refusal(401, "unauthorized", "API token is invalid.");
      if (c.req.header("notion-version") !== "2022-06-28")
        throw new Refusal(400, "missing_version", "Notion-Version header should be defined.");
      await next();
    });
    app.get("/v1/users", (c) => page(c, [...space.users.values()], c.req.query(), "user"));
    app.get("/v1/users/me", (c) => c.json(space.one(space.users, BOT.id, "user")));
    app.get("/v1/users/:id", (c) => c.json(space.one(space.users, c.req.param("id"), "user")));
    addPagesAndDatabases(app, space);
    addBlocks(app, space);
    app.get("/v1/comments", (c) => {
      const { block_id: id, ...asked } = c.req.query();
      const own = [...space.comments.values()].filter(
        ({ parent }) => rowOf(parent)["page_id"] === id,
      );
      return page(c, own, asked, "comment");
    });
    app.post("/v1/comments", async (c) => c.json(space.addComment(await formOf(c))));
    app.notFound((c) =>
      c.json(
        { object: "error", status: 400, code: "invalid_request_url", message: "Invalid URL." },
        400,
      ),
    );
    app.onError((error, c) => {
      if (!(error instanceof Refusal))
        return c.json(
          { object: "error", status: 500, code: "defect", message: error.message },
          500,
        );
      const { status, code, message } = error;
      return c.json({ object: "error", status, code, message }, status);
    });
    return app;
  });
  return { ...api, ids };
}
