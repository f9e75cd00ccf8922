import { afterEach, describe, expect, it } from "vitest";
import { type ServedAgent, serveCatalog } from "../testing/served-catalog.ts";

const DOMAIN = `
version: 1
http_backend: BACKEND
values:
  text: { type: string, string_semantics: short }
entities:
  Kite:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text }, note: { value_ref: text } }
capabilities:
  kite_query: { kind: query, entity: Kite }
  kite_get: { kind: get, entity: Kite }
  kite_audit: { kind: get, entity: Kite }
  kite_send: { kind: action, entity: Kite, parameters: [{ name: note, type: string }] }
`;
const at = (...more: readonly string[]) =>
  `path: [{ type: literal, value: kites }, { type: var, name: id }${more
    .map((each) => `, { type: literal, value: ${each} }`)
    .join("")}]`;
const MAPPINGS = `
kite_query: { method: GET, path: [{ type: literal, value: kites }], response: { items: kites } }
kite_get: { method: GET, ${at()}, response: single }
kite_audit: { method: GET, ${at("audit")}, response: single }
kite_send: { method: POST, ${at("send")}, body: { type: object, fields: [[note, { type: var, name: note }]] } }
`;

let agent: ServedAgent;
afterEach(() => agent.close());

async function serve(...deny: readonly string[]): Promise<ServedAgent> {
  const files = { domain: DOMAIN, mappings: MAPPINGS, entity: "Kite" };
  agent = await serveCatalog({ ...files, policy: { apis: { served: { deny } } } }, (_, url) => ({
    body: url === "/kites" ? { kites: [{ id: "a" }] } : { id: "a", name: "Red", note: "torn" },
  }));
  return agent;
}

const PROGRAMS = [
  "Kite[id, note]",
  "Kite.sort(note)",
  "Kite{note=torn}",
  'x = Kite.limit(1)\nKite("a").send(note=x.note)',
  "Kite => _.send(note=_.note)",
  "t = Kite <<X\n{% for r in rows %}{{ r.note }}{% endfor %}\nX\nt",
];

describe("17, SURF-25: no run completes rows by a get that policy forbids", () => {
  it.each(PROGRAMS)("neither get: %s", async (program) => {
    const on = await serve("kite_get", "kite_audit");
    await on.run(program, { force: true, wait: true });
    expect(on.asked.filter((each) => /^GET .kites.a/.test(each))).toEqual([]);
  });

  it.each(PROGRAMS)("the other get takes its place: %s", async (program) => {
    const on = await serve("kite_get");
    await on.run(program, { force: true, wait: true });
    expect(on.asked).not.toContain("GET /kites/a");
  });

  it("a get that is allowed completes them", async () => {
    const on = await serve();
    expect((await on.run("Kite[id, note]")).text).toContain("torn");
    expect(on.asked).toContain("GET /kites/a");
  });
});
