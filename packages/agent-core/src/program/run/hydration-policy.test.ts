import { kiteCatalog, kiteMapping } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { type ServedAgent, useServedCatalog } from "../../../test/served-catalog.ts";

const FILES = {
  ...kiteCatalog({
    fields: { name: "text", note: "text" },
    capabilities: {
      kite_get: ["{ kind: get, entity: Kite }", kiteMapping("GET", null, "response: single")],
      kite_audit: ["{ kind: get, entity: Kite }", kiteMapping("GET", "audit", "response: single")],
      kite_send: [
        "{ kind: action, entity: Kite, parameters: [{ name: note, type: string }] }",
        kiteMapping(
          "POST",
          "send",
          "body: { type: object, fields: [[note, { type: var, name: note }]] }",
        ),
      ],
    },
  }),
  entity: "Kite",
};

const served = useServedCatalog();

function serve(...deny: readonly string[]): Promise<ServedAgent> {
  return served({ ...FILES, policy: { apis: { served: { deny } } } }, (_, url) => ({
    body: url === "/kites" ? { kites: [{ id: "a" }] } : { id: "a", name: "Red", note: "torn" },
  }));
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
