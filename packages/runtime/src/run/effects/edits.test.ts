import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { fixture, run, type Setting } from "../../testing/fixture-run.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { planProgram } from "../../testing/run-program.ts";

const quay = fixture("quay");

let quayServer: TestServer;
let setting: Setting;
let notes: readonly string[];

beforeEach(async () => {
  notes = [];
  quayServer = await startServer(({ method, path }) => {
    const boats = notes.map((note, at) => ({ id: `b${at + 1}`, name: "x", note }));
    if (method === "GET" && path === "/boats")
      return { json: { items: boats, page: 1, total: boats.length } };
    return { json: boats.find(({ id }) => path === `/boats/${id}`) };
  });
  setting = { catalogs: [quay], backends: { quay: quayServer.url } };
});
afterEach(() => quayServer.close());

function runText(text: string, own: Setting = setting) {
  const { nodes, returns } = planProgram(text, own.catalogs);
  return run(own, nodes, returns);
}

/** Why a run failed. */
async function errorsOf(text: string, own: Setting = setting) {
  const { nodes } = await runText(text, own);
  return nodes.flatMap(({ error }) => (error === null ? [] : [error]));
}

const bodies = ({ log }: TestServer): readonly unknown[] =>
  log.flatMap(({ body }): unknown[] => (body === "" ? [] : [JSON.parse(body)]));
describe("LANG-056 a text that was read is edited and sent", () => {
  test.each([
    ['replace(b.note, "old", "new")', "an old wall", "an new wall"],
    ['replace(b.note, "a", "A", all)', "a wall", "A wAll"],
    ['replace(b.note, "x", "A", all)', "a wall", "a wall"],
    ['insert(b.note, ", dry", after="wall")', "a wall.", "a wall, dry."],
    ['insert(b.note, "dry ", before="wall")', "a wall.", "a dry wall."],
    ['b.note + "\\nend"', "a wall", "a wall\nend"],
    ['"start " + b.note', "a wall", "start a wall"],
    ['replace(b.note, "🚢", "ship")', "a 🚢 sails", "a ship sails"],
  ])("%s", async (value, before, after) => {
    notes = [before];
    const { status } = await runText(`b = Boat("b1")\nb.update(note=${value})`);
    expect(status).toBe("succeeded");
    expect(bodies(quayServer)).toEqual([{ note: after }]);
  });

  test.each([
    ["the old and the old wall", "occurs 2 times", "or write all as a fourth value"],
    ["a new wall", "does not occur in the text", "exactly as it stands"],
    ["an OLD wall", "with other capitals", "exactly as it stands"],
  ])("of %j nothing is sent, and it is said why", async (text, why, fix) => {
    notes = [text];
    const errors = await errorsOf('b = Boat("b1")\nb.update(note=replace(b.note, "old", "new"))');
    expect(errors).toMatchObject([{ code: "argument_invalid" }]);
    expect(errors[0]?.message).toContain(why);
    expect(errors[0]?.correction).toContain(fix);
    expect(bodies(quayServer)).toEqual([]);
  });

  test("of several rows all are edited, or none", async () => {
    const program = 'r = Boat.limit(2)\nr => Boat(_.id).update(note=replace(_.note, "old", "new"))';
    notes = ["an old wall", "two old old walls"];
    const errors = await errorsOf(program);
    expect(errors).toMatchObject([{ code: "argument_invalid" }]);
    expect(bodies(quayServer)).toEqual([]);
    notes = ["an old wall", "another old wall"];
    await runText(program);
    expect(bodies(quayServer)).toEqual([{ note: "an new wall" }, { note: "another new wall" }]);
  });

  test("in rows that are derived, what cannot be edited is null and told", async () => {
    notes = ["an old wall", "none", "old old"];
    const { results } = await runText(
      'Boat.limit(3) => {n: insert(_.note, "!", after="old"), m: replace(_.note, "old", "new")}',
    );
    expect(results[0]?.rows.map(({ values }) => values)).toEqual([
      { n: "an old! wall", m: "an new wall" },
      { n: null, m: "none" },
      { n: null, m: "new new" },
    ]);
    expect(results[0]).toMatchObject({ partial: "cell_unfit" });
  });
});

test("LANG-056 one member of json is set, the others are sent as they were read", async () => {
  const data = { rows: [1, 2], crane: { key: "red", at: null } };
  const server = await startServer(({ method }) =>
    method === "GET" ? { json: { id: 1, name: "Ida", data } } : { json: { id: 9 } },
  );
  const own = { catalogs: [orchard()], backends: { orchard: server.url } };
  await runText(
    't = Tree(1)\nTree.create(name=x, data=set(remove(t.data, "rows.0"), "crane.at", t.name))',
    own,
  );
  expect(bodies(server)).toMatchObject([{ data: { rows: [2], crane: { key: "red", at: "Ida" } } }]);
  const errors = await errorsOf(
    't = Tree(1)\nTree.create(name=x, data=set(t.data, "a.b", 1))',
    own,
  );
  expect(errors[0]?.message).toContain('there is nothing at "a"');
  await server.close();
});
