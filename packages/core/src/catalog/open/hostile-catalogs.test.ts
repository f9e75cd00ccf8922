import { actingIn, halfPairsIn, HOSTILE_TEXTS, readTables } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { buildCatalog, type CatalogSpec } from "../../../test/build-catalog.ts";
import { teach } from "../../../test/teach.ts";
import { discover } from "../../discovery/discover.ts";
import { formatCatalogDiagnostic } from "../reporter.ts";
import type { Catalog } from "../../mapping/template.ts";
import { compileProgram } from "../../plan/compile.ts";
import { openCatalog } from "./open-catalog.ts";

/** Names that are fine for a catalog, and are something else to programs, handles or objects. */
const NAMES = ["__proto__", "constructor", "toString", "e1", "m2", "p3", "s0_pg1", "in", "null"];

/** A catalog whose every description says the text, with an option that is it. */
function saying(text: string): Catalog {
  const described = (type: string) => [type, text] as const;
  const spec: CatalogSpec = {
    entities: {
      Tree: {
        description: text,
        fields: {
          id: described("str"),
          state: described(`open|${text.replaceAll("|", "/")}`),
          plot: described("→e1"),
          note: described("markdown"),
        },
      },
      e1: { description: text, fields: { id: described("str"), name: described("str") } },
    },
    capabilities: {
      tree_query: { kind: "query", entity: "Tree", description: text, params: { "state?": "str" } },
      tree_get: { kind: "get", entity: "Tree", description: text },
      tree_create: { kind: "create", entity: "Tree", description: text, params: { note: "str" } },
      e1_get: { kind: "get", entity: "e1", description: text },
    },
    more: { description: text, label: "North" },
  };
  return buildCatalog("north", spec);
}

const seeds = [[["north", "Tree"]], [["north", "e1"]]] as const;
const taught = (catalog: Catalog): string =>
  teach(new Map([["north", catalog]]), seeds)
    .waves.map(({ text }) => text)
    .join("\n");

const plainly = (text: string): void => {
  expect(actingIn(text)).toEqual([]);
  expect(halfPairsIn(text)).toBe(0);
};

describe("P24, TEACH-12, TEACH-13: a catalog that says anything", () => {
  const leftCells = (text: string) =>
    readTables(text).map(({ rows }) => rows.map(([left]) => left));
  const plain = leftCells(taught(saying("a plain word")));

  // A catalog is a file of UTF-8, so nothing in it is half a pair.
  const texts = HOSTILE_TEXTS.filter(({ text }) => halfPairsIn(text) === 0 && !text.includes("\0"));

  it.each(texts)("$name: the tables are read back, row for row", ({ text }) => {
    const told = taught(saying(text));
    plainly(told);
    expect(leftCells(told)).toEqual(plain);
  });

  it.each(texts)("$name: what discovery says is a table of as many rows", ({ text }) => {
    const found = discover({ intent: "north tree", limit: 8 }, [saying(text)], {});
    if (!found.ok) throw new Error(found.message);
    plainly(found.text);
    const lines = found.text.split("\n");
    expect(lines.filter((line) => /^`{3}/.test(line))).toEqual(["```tsv", "```"]);
    const rows = lines.slice(1, lines.indexOf("```")).map((line) => line.split("\t"));
    expect(rows.map(({ length }) => length)).toEqual(rows.map(() => 3));
    expect(rows.slice(1).map(([api]) => api)).toEqual(found.options.map(({ api }) => api));
  });

  it.each(texts)("$name: a catalog that is not valid is told in lines of its own", ({ text }) => {
    const value = { version: 1, [text]: text, values: { [text]: { type: text } } };
    const domain = JSON.stringify(value);
    const opened = openCatalog({
      entryId: "north",
      domain: { file: "domain.yaml", text: domain },
      mappings: { file: "mappings.yaml", text: "{}" },
    });
    expect(opened.diagnostics.length).toBeGreaterThan(0);
    for (const diagnostic of opened.diagnostics) {
      const shown = formatCatalogDiagnostic(diagnostic, domain);
      plainly(shown);
      expect(shown.split("\n")).toHaveLength(4);
    }
  });
});

describe("TEACH-10, P22: names that are words of programs, handles or objects", () => {
  const fields = Object.fromEntries([["id", "str"], ...NAMES.map((name) => [name, "str"])]);
  const catalog = buildCatalog("north", {
    entities: Object.fromEntries(NAMES.map((name) => [name, { fields }])),
    capabilities: Object.fromEntries(
      NAMES.flatMap((name, at) => [
        [`all_${at}`, { kind: "query", entity: name, params: { "state?": "str" } }],
        [`${name}_get`, { kind: "get", entity: name }],
      ]),
    ),
  });
  const session = teach(new Map([["north", catalog]]), [[["north", ...NAMES]]]);

  it("every entity has its rows, and none of its capabilities is lost", () => {
    const [wave] = session.waves;
    expect(readTables(wave?.text ?? "")).toHaveLength(1);
    expect(session.exposure.symbols.entities.map(({ entity }) => entity)).toEqual(NAMES.toSorted());
    expect(session.exposure.symbols.methods).toHaveLength(2 * NAMES.length);
    expect(wave?.untaught).toEqual([]);
  });

  it.each(NAMES.map((name, at) => [name, `e${NAMES.toSorted().indexOf(name) + 1}`, at] as const))(
    "%s is read by its symbol, all of its columns by theirs",
    (name, symbol) => {
      const all = session.exposure.symbols.names.flatMap((one, at) =>
        NAMES.includes(one) ? [`p${at + 1}`] : [],
      );
      const compiled = compileProgram(`x = ${symbol}("k")\nx[${all.join(",")}]`, session.exposure);
      if (compiled.kind !== "plan") throw new Error(JSON.stringify(compiled));
      const read = compiled.plan.nodes.find(({ kind }) => kind === "get");
      expect(read).toMatchObject({ catalog: { entity: name }, capability: `${name}_get` });
      const [made] = compiled.plan.nodes.filter(({ kind }) => kind === "compute");
      expect(JSON.stringify(made)).toContain(JSON.stringify([name]));
    },
  );
});
