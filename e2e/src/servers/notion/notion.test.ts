import type { JsonObject } from "@plasm/core";
import { afterEach, expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { startNotion, TOKEN } from "./notion-api.ts";

const world = useStarted(async (endings) => {
  const api = await startNotion(endings);
  const open = async (token: string) => {
    const data = await endings.directory("notion");
    const env = { NOTION_TOKEN: token };
    const plasm = await openCatalogEngine("notion", `${api.url}/v1`, data, { env });
    endings.add(() => plasm.close());
    return plasm;
  };
  return { api, open, plasm: await open(TOKEN) };
});
afterEach(() => void world().api.taken());

/** The rows of the last result of a program, in which `$home` and `$tasks` are ids. */
async function rows(program: string) {
  const { ids } = world().api;
  const text = program.replaceAll(/\$(home|tasks|ann|bob)/g, (_, name: string) => ids[name] ?? "");
  const { results } = await world().plasm.run(text);
  return results.at(-1) ?? [];
}

/** A text of the first row of a program. */
async function made(program: string, name = "id"): Promise<string> {
  const [row] = (await rows(program)) as readonly JsonObject[];
  const text = row?.[name];
  if (typeof text !== "string") throw new Error(`a row without ${name}`);
  return text;
}

/** The requests by POST, PATCH and DELETE: the line without ids, and the body. */
const written = () =>
  world()
    .api.requests.filter(({ line }) => !line.startsWith("GET"))
    .map(({ line, body }) => [
      line.replaceAll(/[\da-f-]{36}/g, "ID"),
      body === "" ? null : JSON.parse(body),
    ]);

test("rows of a database go on by the cursor in the body, to the end, with the version in each request", async () => {
  expect(await rows('Database("$tasks").rows.aggregate(n=count)')).toEqual([{ n: 130 }]);
  expect(written()).toEqual([
    ["POST /v1/databases/ID/query", { page_size: 100 }],
    ["POST /v1/databases/ID/query", { page_size: 100, start_cursor: expect.any(String) }],
  ]);
  const versions = world().api.requests.map(({ headers }) => headers.get("notion-version"));
  expect(new Set(versions)).toEqual(new Set(["2022-06-28"]));
});

test("a database is filtered and sorted by the API; values are found by the names of columns", async () => {
  const program = `Page{database=Database("$tasks"), filter={property: Status, status: {equals: Done}}, sorts=[{property: "Time spent", direction: descending}]}.limit(2) => {name: _.properties.Name.title.0.plain_text, due: _.properties.Due.date.start}`;
  expect(await rows(program)).toEqual([
    { name: "Task 130", due: "2026-02-19" },
    { name: "Task 120", due: "2026-02-09" },
  ]);
  expect(written()).toMatchObject([
    ["POST /v1/databases/ID/query", { filter: { property: "Status", status: { equals: "Done" } } }],
  ]);
});

test("titles of pages and of databases are searched each for themselves", async () => {
  expect(await rows('Page~"handbook"[id]')).toEqual([{ id: world().api.ids["home"] }]);
  expect(await rows('Database~"task"[id]')).toEqual([{ id: world().api.ids["tasks"] }]);
  expect(await rows("Page.aggregate(n=count)")).toEqual([{ n: 131 }]);
  expect(await rows("Database.aggregate(n=count)")).toEqual([{ n: 1 }]);
});

test("a page has its blocks, blocks have theirs, and both know what they are in", async () => {
  expect(await rows('Page("$home").blocks[type, has_children]')).toEqual([
    { type: "heading_1", has_children: false },
    { type: "paragraph", has_children: false },
    { type: "toggle", has_children: true },
    { type: "to_do", has_children: false },
  ]);
  expect(
    await rows(
      'Page("$home").blocks{has_children=true}.children => {text: _.quote.rich_text.0.plain_text}',
    ),
  ).toEqual([{ text: "Be kind." }]);
  expect(await rows('Page~"Task 7".limit(1)[database]')).toEqual([
    { database: world().api.ids["tasks"] },
  ]);
});

test("a row is made with its columns and its text, changed, filled and moved to the trash", async () => {
  const id = await made(
    `Page.create(parent={database_id: Database("$tasks")}, properties={Name: {title: [{text: {content: "Paint"}}]}, Status: {status: {name: Open}}}, children=[{paragraph: {rich_text: [{text: {content: "The hull."}}]}}])[id]`,
  );
  const page = `Page("${id}")`;
  await rows(`${page}.update(properties={Status: {status: {name: Done}}})`);
  expect(await rows(`${page} => {status: _.properties.Status.status.name}`)).toEqual([
    { status: "Done" },
  ]);
  const block = `Block("${await made(`${page}.blocks[id, type]`)}")`;
  await rows(
    `Block("${id}").append(children=[{to_do: {rich_text: [{text: {content: "Sand"}}]}}], after=${block})`,
  );
  await rows(`${block}.update(paragraph={rich_text: [{text: {content: "The whole hull."}}]})`);
  expect(
    await rows(
      `${page}.blocks => {type: _.type, p: _.paragraph.rich_text.0.plain_text, d: _.to_do.checked}`,
    ),
  ).toEqual([
    { type: "paragraph", p: "The whole hull.", d: null },
    { type: "to_do", p: null, d: false },
  ]);
  await rows(`${block}.delete()`);
  expect(await rows(`${page}.blocks[type]`)).toEqual([{ type: "to_do" }]);
  await rows(`${page}.update(in_trash=true)`);
  await expect(rows(`${page}.update(properties={Status: {status: {name: Open}}})`)).rejects.toThrow(
    "You must unarchive the block before editing",
  );
  expect(
    written()
      .map(([line]) => line)
      .filter((line) => line !== "POST /v1/databases/ID/query"),
  ).toEqual([
    "POST /v1/pages",
    "PATCH /v1/pages/ID",
    "PATCH /v1/blocks/ID/children",
    "PATCH /v1/blocks/ID",
    "DELETE /v1/blocks/ID",
    "PATCH /v1/pages/ID",
    "PATCH /v1/pages/ID",
  ]);
});

test("what is in the trash is found where the API gives it, and not taken for nothing elsewhere", async () => {
  const id = await made(
    `Page.create(parent={database_id: Database("$tasks")}, properties={Name: {title: [{text: {content: "Gone"}}]}})[id]`,
  );
  await rows(`Page("${id}").update(in_trash=true)`);
  world().api.taken();
  const trash = await rows('Database("$tasks").rows{in_trash=true}[id, in_trash]');
  expect(trash).toContainEqual({ id, in_trash: true });
  expect(new Set(trash.map((row) => row["in_trash"]))).toEqual(new Set([true]));
  expect(written()).toEqual([["POST /v1/databases/ID/query", { in_trash: true, page_size: 100 }]]);
  for (const program of [
    'Page~"Gone"{in_trash=true}',
    "Database{in_trash!=false}",
    'Database("$tasks").rows{in_trash!=false}',
    'Page("$home").blocks{in_trash=true}',
  ]) {
    await expect(rows(`${program}[id]`)).rejects.toThrow("gives only rows with in_trash=false");
  }
  await expect(rows("Page{in_trash=true}[id]")).rejects.toThrow("of-database needs database");
  expect(await rows('Page~"Gone"{in_trash=false}[id]')).toEqual([]);
});

test("a database is made in a page; a column that it does not have is refused in the API's words", async () => {
  const id = await made(
    'Database.create(parent={page_id: Page("$home")}, title=[{text: {content: "Boats"}}], properties={Name: {title: {}}, Length: {number: {}}})[id]',
  );
  const row = (columns: string) =>
    `Page.create(parent={database_id: Database("${id}")}, properties={${columns}})`;
  await rows(row('Name: {title: [{text: {content: "Gull"}}]}, Length: {number: 9.5}'));
  expect(await rows(`Database("${id}").rows => {length: _.properties.Length.number}`)).toEqual([
    { length: 9.5 },
  ]);
  await expect(rows(row("Colour: {number: 1}"))).rejects.toThrow(
    "Colour is not a property that exists",
  );
  await rows(`Database("${id}").update(title=[{text: {content: "Fleet"}}])`);
  expect(await rows(`Database("${id}") => {title: _.title.0.plain_text}`)).toEqual([
    { title: "Fleet" },
  ]);
});

test("comments are made on a page, and answered in their discussion", async () => {
  const said = await made(
    'Comment.create(parent={page_id: Page("$home")}, rich_text=[{text: {content: "Good."}}])[discussion_id]',
    "discussion_id",
  );
  await rows(`Comment.create(discussion_id="${said}", rich_text=[{text: {content: "Thanks."}}])`);
  expect(await rows('Page("$home").comments => {text: _.rich_text.0.plain_text}')).toEqual([
    { text: "Good." },
    { text: "Thanks." },
  ]);
});

test("people are listed and got; what is not there, and a token that is not known, is told", async () => {
  expect(await rows("User{type=person}[name, email]")).toEqual([
    { name: "Ann", email: "ann@example.com" },
    { name: "Bob", email: "bob@example.com" },
  ]);
  expect(await rows('User("$bob")[name]')).toEqual([{ name: "Bob" }]);
  expect(await rows("User.me()[name]")).toEqual([{ name: "Plasm" }]);
  await expect(rows('Page("00000000-0000-4000-8000-00000000ffff")[url]')).rejects.toThrow(
    "does not exist",
  );
  const plasm = await world().open("ntn_other");
  await expect(plasm.run("User[name]")).rejects.toThrow("API token is invalid");
});
