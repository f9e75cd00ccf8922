import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { formatCatalogs } from "../../test/format-catalogs.ts";
import type { CatalogDiagnostic } from "./reporter.ts";
import { type KeyPath, keyPathText } from "./key-path.ts";
import { type CatalogSource, loadCatalog } from "./load-catalog.ts";
import { catalogSchemas } from "./testing/catalog-schemas.ts";

const page = readFileSync(new URL("../../../../docs/catalog-format.md", import.meta.url), "utf8");
const { domain, mappings } = catalogSchemas(page);

test("what editors get is what the loader reads by, in the words of docs/catalog-format.md", async () => {
  for (const [name, schema] of Object.entries({ domain, mappings })) {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../../schemas/${name}.schema.json`);
  }
});

const ajv = new Ajv({ allErrors: true, strict: false });
const validates = { domain: ajv.compile(domain), mappings: ajv.compile(mappings) };

type Part = keyof typeof validates;
type Value = unknown;

/** The files of a catalog as data. */
function partsOf(source: CatalogSource): readonly { readonly part: Part; readonly value: Value }[] {
  const read = (text: string): Value => parse(text, { maxAliasCount: -1 }) as Value;
  const own = [{ part: "domain" as const, value: read(source.domain.text) }];
  if (source.mappings === undefined) return own;
  return [...own, { part: "mappings" as const, value: read(source.mappings.text) }];
}

/** What the loader says when a file of a catalog holds this: JSON is YAML. */
function saidOf(source: CatalogSource, part: Part, value: Value): readonly CatalogDiagnostic[] {
  const file = source[part]?.file ?? "";
  const changed = { ...source, [part]: { file, text: JSON.stringify(value) } };
  return loadCatalog(changed).diagnostics.filter((each) => each.file === file);
}

const isMap = (value: Value): value is Readonly<Record<string, Value>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What becomes of the values in a value: `at` may replace a map or list before it is looked into. */
interface Change {
  at?(path: KeyPath, value: Value): Value;
  map?(map: Readonly<Record<string, Value>>): Value;
  leaf?(path: KeyPath, leaf: Value): Value;
}

function mapped(value: Value, path: KeyPath, change: Change): Value {
  const instead = change.at?.(path, value) ?? null;
  if (isMap(value) && instead !== null) return instead;
  if (Array.isArray(value)) return value.map((item, at) => mapped(item, [...path, at], change));
  if (!isMap(value)) return change.leaf?.(path, value) ?? value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapped(each, [...path, key], change)]),
  );
  return change.map?.(inner) ?? inner;
}

/** The place that an error of the validator is at, as messages of the loader name it. */
const placeOf = (
  { instancePath }: ErrorObject,
  value: Value,
  more: readonly string[] = [],
): string => {
  let at = value;
  const path: (string | number)[] = [];
  for (const step of instancePath.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(at) ? Number(key) : key);
    at = (at as Readonly<Record<string, Value>>)[key];
  }
  return keyPathText([...path, ...more]);
};

const errorsOf = (validate: ValidateFunction, value: Value): readonly ErrorObject[] => {
  validate(value);
  return validate.errors ?? [];
};

const PROBE = "zzz";
/** Keys whose words choose the keys beside them. */
const TAGS: readonly unknown[] = ["type", "kind", "scheme", "transport"];
const WORD_CODES = ["CAT002", "CAT046", "CAT151", "MAP002", "MAP020", "MAP030"];
const MISSING_CODES = ["CAT003", "CAT046", "MAP030"];
const isTag = (path: KeyPath): boolean => TAGS.includes(path.at(-1));
const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();
const depthOf = (value: Value): number => {
  const inner = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : null;
  return inner === null ? 0 : 1 + Math.max(0, ...inner.map(depthOf));
};
const sources = formatCatalogs().map((source) => [source.entryId, source] as const);

describe.each(sources)("the schemas on %s", (_name, source) => {
  const functions: readonly unknown[] = source.functions ?? [];

  it("take it", () => {
    for (const { part, value } of partsOf(source)) {
      expect(errorsOf(validates[part], value)).toEqual([]);
    }
  });

  it("refuse a key in just those places where the loader does (CAT-001)", () => {
    for (const { part, value } of partsOf(source)) {
      const probed = mapped(value, [], { map: (map) => ({ ...map, [PROBE]: 0 }) });
      const refused = saidOf(source, part, probed).flatMap(({ code, keyPath }) =>
        /^(CAT001|MAP050)$/.test(code) && keyPath.endsWith(PROBE) ? [keyPath] : [],
      );
      const errors = errorsOf(validates[part], probed).filter(
        ({ keyword }) => keyword === "additionalProperties",
      );
      expect(refused.length).toBeGreaterThan(0);
      expect(
        [...new Set(errors.map((error) => placeOf(error, probed, [PROBE])))].toSorted(),
      ).toEqual([...new Set(refused)].toSorted());
    }
  });

  it("refuse a word in just those places where the loader does (CAT-002)", () => {
    for (const { part, value } of partsOf(source)) {
      const words = mapped(value, [], {
        leaf: (path, leaf) => (typeof leaf !== "string" || isTag(path) ? leaf : PROBE),
      });
      const refused = saidOf(source, part, words).filter(({ code }) => WORD_CODES.includes(code));
      const errors = errorsOf(validates[part], words).filter(({ keyword }) => keyword === "enum");
      expect(distinct(errors.map((error) => placeOf(error, words)))).toEqual(
        distinct(refused.map(({ keyPath }) => keyPath)),
      );
    }
  });

  it("refuse a word that chooses the keys beside it, or those, where the loader does", () => {
    for (const { part, value } of partsOf(source)) {
      for (let depth = 1; depth <= depthOf(value); depth++) {
        const words = mapped(value, [], {
          leaf: (path, leaf) =>
            path.length === depth && isTag(path) && !functions.includes(leaf) ? PROBE : leaf,
        });
        if (JSON.stringify(words) === JSON.stringify(value)) continue;
        const refused = distinct(
          saidOf(source, part, words)
            .filter(({ code }) => WORD_CODES.includes(code))
            .map(({ keyPath }) => keyPath),
        );
        const errors = errorsOf(validates[part], words);
        const places = errors.map((error) => placeOf(error, words));
        const chosen = errors.filter(({ keyword }) => keyword === "enum");
        // A function may have any name: then the keys that the function does not take are refused.
        const aside = refused.filter(
          (place) => !places.includes(place) && !places.includes(place.replace(/\.?\w+$/, "")),
        );
        expect(aside).toEqual([]);
        expect(
          chosen.map((error) => placeOf(error, words)).filter((place) => !refused.includes(place)),
        ).toEqual([]);
      }
    }
  });

  it("miss a key in just those places where the loader does (CAT-003)", () => {
    for (const { part, value } of partsOf(source)) {
      for (let depth = 0; depth <= depthOf(value); depth++) {
        const emptied = mapped(value, [], { at: (path) => (path.length === depth ? {} : null) });
        const there = new Set<string>();
        mapped(emptied, [], {
          at: (path) => {
            there.add(keyPathText(path));
            return null;
          },
        });
        const missed = saidOf(source, part, emptied)
          .filter(({ code, keyPath }) => MISSING_CODES.includes(code) && !there.has(keyPath))
          .map(({ keyPath }) => keyPath);
        const errors = errorsOf(validates[part], emptied).filter(
          ({ keyword }) => keyword === "required",
        );
        expect(
          distinct(
            errors.map((error) =>
              placeOf(error, emptied, [String(error.params["missingProperty"])]),
            ),
          ),
        ).toEqual(distinct(missed));
      }
    }
  });
});
