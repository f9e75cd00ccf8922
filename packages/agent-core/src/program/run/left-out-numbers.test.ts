import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedAgent, serveCatalog } from "../../../test/served-catalog.ts";

const DOMAIN = `
version: 1
http_backend: BACKEND
values:
  text: { type: string, string_semantics: short }
  length: { type: number }
  any: { type: json }
entities:
  Kite:
    id_field: id
    fields:
      id: { value_ref: text }
      length: { value_ref: length }
      free: { value_ref: any }
capabilities:
  kite_query:
    kind: query
    entity: Kite
    parameters: [{ name: longer, value_ref: length, role: filter }]
  kite_fly:
    kind: action
    entity: Kite
    parameters: [{ name: height, value_ref: length, required: true }]
    output: { type: side_effect, description: lets it fly }
`;

const MAPPINGS = `
kite_query:
  method: GET
  path: [{ type: literal, value: kites }]
  query: { type: object, fields: [[longer, { type: if, condition: { type: exists, var: longer }, then_expr: { type: var, name: longer }, else_expr: { type: const, value: null } }]] }
  response: { items: kites }
kite_fly:
  method: POST
  path: [{ type: literal, value: kites }, { type: var, name: id }, { type: literal, value: fly }]
  body: { type: object, fields: [[height, { type: var, name: height }]] }
`;

/** What the API answers: numbers as JSON has them, however large. */
const LENGTHS = ["3", "1e20000", "5", "null", `${"9".repeat(1_001)}`];
const rows = LENGTHS.map((length, at) => `{"id":"k${at}","length":${length},"free":${length}}`);

let agent: ServedAgent;
beforeAll(async () => {
  const files = { domain: DOMAIN, mappings: MAPPINGS, entity: "Kite" };
  agent = await serveCatalog(files, () => ({ body: `{"kites":[${rows.join(",")}]}` }));
});
afterAll(() => agent.close());

/** The text of an answer, and what its data says of the result. */
async function answer(program: string) {
  const { text, meta, problem } = await agent.run(program);
  const [step] =
    (meta as { readonly steps?: readonly { readonly partial: unknown }[] }).steps ?? [];
  return { text, lines: text.split("\n"), partial: step?.partial, problem };
}

const WHY =
  "a number of more than 1,000 digits or an exponent beyond ±10,000 is not kept, so it is null";

describe("18.19 numbers beyond the limits are told where an answer leaves them out", () => {
  it.each([
    ["sum", "8"],
    ["avg", "4"],
    ["min", "3"],
    ["max", "5"],
    ["count", "2"],
  ])("%s: says how many and why, and is partial", async (fn, value) => {
    const { lines, partial } = await answer(`Kite.aggregate(x=${fn}(length))`);
    expect(lines[0]).toBe("Kite · 1 row, partial (cell_unfit)");
    expect(lines).toContain(`${value} (of the values that fit)`);
    expect(lines.at(-1)).toContain(`cell_unfit at row 1, 2 in all: length: ${WHY}`);
    expect(partial).toBe("cell_unfit");
  });

  it.each(["sum", "avg"])("%s of free-form cells as well", async (fn) => {
    const { text, partial } = await answer(`Kite.aggregate(x=${fn}(free))`);
    expect(text).toContain(`2 in all: free: ${WHY}`);
    expect(partial).toBe("cell_unfit");
  });

  it.each([
    ["group_by", "Kite.group_by(length, n=count)"],
    ["distinct", "Kite.distinct(length)"],
  ])("%s takes them for null, and says so", async (_step, program) => {
    const { text, partial } = await answer(program);
    expect(text).toContain(`2 in all: length: ${WHY}`);
    expect(partial).toBe("cell_unfit");
  });

  it("a sort has all rows, those last, and says so", async () => {
    const { lines, partial } = await answer("Kite.sort(length, desc)[id]");
    expect(lines.filter((line) => /^k\d$/.test(line))).toEqual(["k2", "k0", "k1", "k3", "k4"]);
    expect(lines.at(-1)).toContain(`2 in all: length: ${WHY}`);
    expect(partial).toBeNull();
  });

  it.each([
    ["of a column", "Kite.filter{length>4}[id]", "length"],
    ["of the negation", "Kite.filter{not{length>4}}[id]", "length"],
    ["of a free-form column", "Kite.filter{free>4}[id]", "free"],
    ["then counted", "Kite.filter{length>4}.aggregate(n=count)", "length"],
  ])("a condition %s that cannot be judged leaves a part", async (_what, program, column) => {
    const { text, partial } = await answer(program);
    const why = WHY.replace("so it is null", "so it equals nothing and is in no order");
    expect(text).toContain(`2 in all: ${column}: ${why}`);
    expect(partial).toBe("cell_unfit");
  });

  it("an aggregate of what the API filtered says it as well", async () => {
    const { text, partial } = await answer("Kite{longer=2}.aggregate(s=sum(length))");
    expect(agent.asked.at(-1)).toBe("GET /kites?longer=2");
    expect(text).toContain("8 (of the values that fit)");
    expect(partial).toBe("cell_unfit");
  });

  it("no effect takes such a sum", async () => {
    const before = agent.asked.length;
    const program = 'total = Kite.aggregate(s=sum(length))\nKite("k0").fly(height=total.s)';
    const { problem } = await agent.run(program, { force: true });
    expect(problem?.text).toContain("partial_source");
    expect(agent.asked.slice(before).filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  it("nothing is said where all numbers are kept, up to the limits", async () => {
    const most = ["1e10000", "9".repeat(1_000), "9007199254740993", '"12.5"'];
    const kept = most.map((length, at) => `{"id":"k${at}","length":${length}}`).join(",");
    const own = await serveCatalog({ domain: DOMAIN, mappings: MAPPINGS, entity: "Kite" }, () => ({
      body: `{"kites":[${kept}]}`,
    }));
    const { text, meta } = await own.run("Kite.aggregate(n=count(length), low=min(length))");
    await own.close();
    expect(text).not.toContain("cell_unfit");
    expect(text).toContain("4\t12.5");
    expect(JSON.stringify(meta)).toContain('"partial":null');
  });
});
