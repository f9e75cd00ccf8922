import fc from "fast-check";
import { expect, test } from "vitest";
import {
  arbitraryCatalogSet,
  arbitraryCatalogSpec,
  ENTITIES,
} from "../../test/arbitrary-catalog.ts";
import { catalogDocuments, loadDocuments } from "../../test/build-catalog.ts";
import { type Call, headingOf, rowsOf, teach } from "../../test/teach.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { executableRows } from "../../test/executable-rows.ts";
import { exposeSeeds } from "./expose-seeds.ts";
import { promptText } from "./wave-text.ts";

const runs = { numRuns: 40 };
const notation = fc.constantFrom("symbols" as const, "names" as const);
const pairs = ["north", "south"].flatMap((entryId) =>
  ENTITIES.map((entity) => [entryId, entity] as const),
);
/** All entities of both catalogs in any order, split into calls. */
const calls = fc
  .tuple(fc.shuffledSubarray(pairs, { minLength: 1 }), fc.array(fc.integer({ min: 1, max: 3 })))
  .map(([seeds, sizes]): readonly Call[] => {
    const rest = [...seeds];
    const groups = sizes.map((size) => rest.splice(0, size)).filter((group) => group.length > 0);
    return rest.length === 0 ? groups : [...groups, rest];
  });

test("P24, TEACH-12: tables are valid TSV, whatever descriptions hold", () => {
  fc.assert(
    fc.property(arbitraryCatalogSet(), calls, notation, (catalogs, seeds, written) => {
      for (const { text } of teach(catalogs, seeds, { notation: written }).waves) {
        const lines = text.split("\n");
        const start = lines.indexOf("```tsv");
        expect(lines.filter((line) => line.startsWith("```"))).toEqual(["```tsv", "```"]);
        const end = lines.lastIndexOf("```");
        const [further = "also: ", ...rest] = lines.slice(end + 1, -1);
        expect([further.startsWith("also: "), ...rest, lines.at(-1)]).toEqual([true, ""]);
        expect(lines[start + 1]).toBe("plasm_expr\tMeaning");
        for (const line of lines.slice(start + 1, end)) {
          const cells = line.split("\t");
          expect(cells).toHaveLength(2);
          expect(cells.map((cell) => cell.trim())).toEqual(cells);
          expect(line.replace("\t", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|`{3}/u);
        }
      }
    }),
    runs,
  );
});

test("P22, TEACH-24: every exposed capability is taught or in untaught", () => {
  fc.assert(
    fc.property(arbitraryCatalogSet(), calls, fc.boolean(), (catalogs, seeds, effects) => {
      const features = { ...ALL_FEATURES, effects };
      const { waves, exposure } = teach(catalogs, seeds, { features });
      const rows = executableRows(exposure, features).filter(({ kind }) => kind !== "relation");
      const taught = rows.map(({ entity, capability }) => `${entity.entryId}.${capability}`);
      const hidden = waves.flatMap(({ entryId, untaught }) =>
        untaught.map(({ capability }) => `${entryId}.${capability}`),
      );
      const exposed = exposure.symbols.methods.map(({ entryId, entity, label }) => {
        return `${entryId}.${entity.toLowerCase()}_${label.replaceAll("-", "_")}`;
      });
      for (const capability of exposed) {
        expect(
          [taught.includes(capability), hidden.includes(capability)].filter(Boolean),
        ).toHaveLength(1);
      }
    }),
    runs,
  );
});

test("TEACH-20: every symbol in a row is taught at or before its wave", () => {
  fc.assert(
    fc.property(arbitraryCatalogSet(), calls, (catalogs, seeds) => {
      const known = new Set<string>();
      for (const wave of teach(catalogs, seeds).waves) {
        for (const symbol of headingOf(wave).match(/\be\d+(?= )/g) ?? []) known.add(symbol);
        const rows = rowsOf(wave);
        for (const [left] of rows) if (/^p\d+$/.test(left)) known.add(left);
        for (const [left, meaning] of rows) {
          const code = left.replace(/\.p\d+$/, "").replaceAll(/\.m\d+\(/g, "(");
          const options = / · opt((?: p\d+)+)/.exec(meaning)?.[1] ?? "";
          const result = /^\[?(e\d+)/.exec(meaning)?.[1] ?? "";
          const used = `${code} ${options} ${result}`.match(/\b[ep]\d+\b/g) ?? [];
          expect(used.filter((symbol) => !known.has(symbol))).toEqual([]);
        }
      }
    }),
    runs,
  );
});

test("P3: order and repetition of seeds in a call change no byte", () => {
  const shuffled = fc
    .shuffledSubarray(pairs, { minLength: 1 })
    .chain((seeds) =>
      fc.tuple(
        fc.constant(seeds),
        fc.shuffledSubarray([...seeds, ...seeds], { minLength: 2 * seeds.length }),
      ),
    );
  fc.assert(
    fc.property(arbitraryCatalogSet(), shuffled, (catalogs, [seeds, others]) => {
      expect(teach(catalogs, [others]).waves).toEqual(teach(catalogs, [seeds]).waves);
    }),
    runs,
  );
});

test("P4: a call without a new entity changes nothing", () => {
  fc.assert(
    fc.property(arbitraryCatalogSet(), calls, (catalogs, seeds) => {
      const { exposure } = teach(catalogs, seeds);
      const again = exposeSeeds({
        catalogs,
        notation: "symbols",
        policy: {},
        features: ALL_FEATURES,
        exposure,
        seeds: exposure.log.map(({ entryId, entities }) => ({ entryId, entities })),
      });
      expect(again).toEqual({
        log: exposure.log,
        symbols: exposure.symbols,
        waves: [],
        inFull: [],
      });
    }),
    runs,
  );
});

test("P13: waves made call by call are the prompt text made at once", () => {
  fc.assert(
    fc.property(arbitraryCatalogSet(), calls, (catalogs, seeds) => {
      const { waves, exposure } = teach(catalogs, seeds);
      const stepwise = exposure.log.map((_, at) => {
        const before = { log: exposure.log.slice(0, at), sent: waves.slice(0, at) };
        const { entryId, entities } = exposure.log[at] ?? { entryId: "", entities: [] };
        const setup = {
          catalogs,
          notation: "symbols" as const,
          policy: {},
          features: ALL_FEATURES,
        };
        return exposeSeeds({ ...setup, exposure: before, seeds: [{ entryId, entities }] }).waves;
      });
      expect(promptText(stepwise.flat())).toBe(promptText(waves));
    }),
    runs,
  );
});

test("TEACH-30: the order of keys in the files changes nothing", () => {
  fc.assert(
    fc.property(arbitraryCatalogSpec(), (spec) => {
      const documents = catalogDocuments(spec);
      const [plain, turned] = [documents, reversed(documents) as typeof documents].map(
        (each) => new Map([["north", loadDocuments("north", each)]]),
      );
      const seeds: readonly Call[] = [[["north", "Cedar"]], [["north", "Ash", "Birch"]]];
      expect(teach(turned ?? new Map(), seeds).waves).toEqual(
        teach(plain ?? new Map(), seeds).waves,
      );
    }),
    runs,
  );
});

/** A value with the keys of every map in it turned round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, reversed(each)])
      .reverse(),
  );
}
