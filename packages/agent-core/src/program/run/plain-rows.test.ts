import { kiteCatalog, kiteMapping } from "@plasm/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { type ServedAgent, useServedCatalog } from "../../../test/served-catalog.ts";

const served = useServedCatalog();

/** Lines stand in kites, two of them alike; a line tells the kite that holds it and one that it ties to. */
const FILES = {
  ...kiteCatalog({
    fields: { total: "count" },
    relations: {
      lines:
        "{ target: Line, cardinality: many, materialize: { kind: from_parent_get, path: [{ key: lines }, { wildcard: true }] } }",
    },
    entities: {
      Line: "{ abstract: true, fields: { knot: { value_ref: text }, length: { value_ref: count }, ties_to: { value_ref: kite }, kite: { value_ref: kite } } }",
    },
    capabilities: {
      kite_get: ["{ kind: get, entity: Kite }", kiteMapping("GET", null, "response: single")],
    },
  }),
  entity: ["Kite", "Line"],
};

/** What a line calls its `key` is nobody's key: two lines have the same. */
const line = (knot: string, length: number, ties_to: string) => ({
  knot,
  length,
  ties_to,
  key: "not one",
});

const KITES = [
  {
    id: "k0",
    total: 9,
    lines: [line("reef", 1, "k1"), line("reef", 1, "k1"), line("bowline", 5, "k1")],
  },
  { id: "k1", total: 8, lines: [line("reef", 2, "k0")] },
  { id: "k2", total: 7, lines: [] },
];

let on: ServedAgent;
beforeEach(async () => {
  on = await served(FILES, (_method, url) => ({
    body: url === "/kites" ? { kites: KITES } : KITES.find(({ id }) => url === `/kites/${id}`),
  }));
});

/** The rows of an answer as printed, without head and fence. */
const rowsOf = async (program: string): Promise<readonly string[]> => {
  const { text } = await on.run(program);
  return text.split("\n").filter((row) => row.includes("\t"));
};

describe("CAT-040 RUN-047: rows that stand in others, without a key", () => {
  it("are all there, however alike, and tell the row that holds them", async () => {
    expect(await rowsOf("Kite.lines")).toEqual([
      "kite\tknot\tlength\tties_to",
      "k0\treef\t1\tk1",
      "k0\treef\t1\tk1",
      "k0\tbowline\t5\tk1",
      "k1\treef\t2\tk0",
    ]);
    expect(on.asked).toEqual(["GET /kites"]);
  });

  it("are filtered, sorted, cut and summed as any", async () => {
    expect(await rowsOf("Kite.lines{length > 1}.sort(length desc)[knot, length]")).toEqual([
      "knot\tlength",
      "bowline\t5",
      "reef\t2",
    ]);
    expect(await rowsOf("Kite.lines.group_by(knot, n=count, all=sum(length))")).toEqual([
      "knot\tn\tall",
      "reef\t3\t4",
      "bowline\t1\t5",
    ]);
    expect(
      await rowsOf(
        "Kite => {id: _.id, all: sum(_.lines.length), reefs: count(_.lines{knot=reef})}",
      ),
    ).toEqual(["id\tall\treefs", "k0\t7\t2", "k1\t2\t1", "k2\t0\t0"]);
  });

  it("lead to what they refer to, and to the row that holds them", async () => {
    expect(await rowsOf("Kite.lines.ties_to[id, total]")).toEqual(["id\ttotal", "k1\t8", "k0\t9"]);
    expect(await rowsOf("Kite.lines => {of: _.kite.total, knot: _.knot}")).toEqual([
      "of\tknot",
      "9\treef",
      "9\treef",
      "9\tbowline",
      "8\treef",
    ]);
    const joined = "k = Kite\nl = Kite.lines\nl.join(k, ties_to=id)[knot, length, k.total]";
    expect(await rowsOf(joined)).toEqual([
      "knot\tlength\tk.total",
      "reef\t1\t8",
      "reef\t1\t8",
      "bowline\t5\t8",
      "reef\t2\t9",
    ]);
  });

  it("come in pages that lose and double none", async () => {
    const { text } = await on.run("Kite.lines.page_size(3)[knot]");
    expect(text).toContain("reef\nreef\nbowline\n");
    const next = /page\((\w+)\)/.exec(text)?.[1] ?? "";
    expect((await on.run(`page(${next})`)).text).toContain(
      "Line · rows 4-4\n```tsv\nknot\nreef\n```",
    );
  });

  it("are read by no list and no key, and the answer says by what", async () => {
    expect((await on.run("Line")).text).toContain("Line has no list.\nfix: reach it by Kite.lines");
    expect((await on.run('Line("a")')).text).toContain(
      "Rows of Line stand in other rows and have no key.\nfix: reach it by Kite.lines",
    );
  });
});
