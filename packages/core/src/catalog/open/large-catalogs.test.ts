import { afterEach, describe, expect, it } from "vitest";
import { withBoundedSuggestions } from "../../diagnostics/nearest-name.ts";
import type { CatalogSource } from "../load-catalog.ts";
import { nearestText } from "../reporter.ts";
import { openCatalog } from "./open-catalog.ts";

/** A catalog of so many entities, each with a reference to the first, a list and what else is asked for. */
function catalogOf(count: number, wrong = "", text = ", string_semantics: short"): CatalogSource {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const domain = [
    "version: 1",
    "http_backend: https://api.large.example",
    "values:",
    `  text: { type: string${text} }`,
    "  hub: { type: entity_ref, target: Thing0 }",
    "entities:",
    ...numbers.map(
      (at) =>
        `  Thing${at}: { id_field: id, fields: { id: { value_ref: text }, hub: { value_ref: hub }, note: { value_ref: text } } }`,
    ),
    "capabilities:",
    ...numbers.map((at) => `  thing${at}_query: { kind: query, entity: Thing${at}${wrong} }`),
  ].join("\n");
  const mappings = numbers
    .map((at) => `thing${at}_query: { method: GET, path: [{ type: literal, value: t${at} }] }`)
    .join("\n");
  return {
    entryId: "large",
    domain: { file: "domain.yaml", text: `${domain}\n` },
    mappings: { file: "mappings.yaml", text: `${mappings}\n` },
  };
}

const restore: (() => void)[] = [];
afterEach(() => {
  for (const each of restore.splice(0)) each();
});

const ITERATORS = [new Map().values(), new Set().values(), [].values()].map(
  (iterator) => Object.getPrototypeOf(iterator) as { next: () => unknown },
);

/** Elements that work looks at: what it iterates over, and lists that it looks through. */
function looksOf(work: () => unknown): number {
  let looks = 0;
  for (const prototype of ITERATORS) {
    const { next } = prototype;
    restore.push(() => Object.assign(prototype, { next }));
    prototype.next = function counted(this: unknown) {
      looks += 1;
      return next.call(this);
    };
  }
  for (const name of ["filter", "find", "some", "every", "includes", "map", "flatMap"] as const) {
    const own = Array.prototype[name] as (this: readonly unknown[], ...given: unknown[]) => unknown;
    restore.push(() =>
      Object.defineProperty(Array.prototype, name, {
        value: own,
        writable: true,
        configurable: true,
      }),
    );
    const counted = function (this: readonly unknown[], ...given: unknown[]): unknown {
      looks += this.length;
      return own.apply(this, given);
    };
    Object.defineProperty(Array.prototype, name, {
      value: counted,
      writable: true,
      configurable: true,
    });
  }
  try {
    work();
  } finally {
    for (const each of restore.splice(0)) each();
  }
  return looks;
}

describe("18.14 opening a catalog looks at its parts in proportion to their number", () => {
  it.each([
    ["right", "", undefined, 60],
    ["with a mistake in each capability", ", nonsense: 1", undefined, 60],
    ["with a mistake that each field has", "", "", 600],
  ])("%s", (_what, wrong, text, size) => {
    const open = (count: number) => () => openCatalog(catalogOf(count, wrong, text));
    open(10)();
    const few = looksOf(open(size));
    const many = looksOf(open(4 * size));
    // Each capability looked at all entities and all capabilities: sixteen times as much.
    expect(many).toBeLessThan(5.5 * few);
  });

  it("suggestions are compared a bounded number of times, and the first mistakes have theirs", () => {
    const names = Array.from({ length: 400 }, (_, at) => `name${at}`);
    const looks = (mistakes: number) =>
      looksOf(() =>
        withBoundedSuggestions(() => {
          for (let at = 0; at < mistakes; at++) nearestText(`nane${at}`, names);
        }, 10_000),
      );
    // Thirty of them exhaust what may be compared; each of the others copied and compared four hundred names.
    expect(looks(300)).toBeLessThan(1.5 * looks(30));
    const texts = withBoundedSuggestions(() =>
      ["nane7", "nane8"].map((wrong) => nearestText(wrong, names)),
    );
    expect(texts).toEqual([" (nearest: name7)", " (nearest: name8)"]);
  });

  it("CAT-013: what is beyond the limit is told for less than a tenth of it takes to read", () => {
    const list = (nodes: number): CatalogSource => ({
      entryId: "large",
      domain: { file: "domain.yaml", text: `x-a: [${"a,".repeat(nodes)}]\n` },
      mappings: { file: "mappings.yaml", text: "{}\n" },
    });
    const [allowed, beyond] = [list(100_000), list(1_000_100)];
    expect(openCatalog(beyond).diagnostics.map(({ code }) => code)).toEqual(["CAT013"]);
    const [reading, refusing] = [allowed, beyond].map((source) =>
      looksOf(() => openCatalog(source)),
    );
    expect(refusing).toBeLessThan((reading ?? 0) / 10);
  });
});
