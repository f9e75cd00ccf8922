import { suiteTexts } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { fixtureExposure, quayAndYard, quayExposure } from "../../test/fixture-exposure.ts";
import { replay } from "../../test/replay.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { compileProgram } from "./compile.ts";

/** What suites write besides programs: prose, addresses, names of files. */
const isProgram = (text: string): boolean =>
  text.length < 400 &&
  /[{(.[~=|"'$]/.test(text) &&
  !/^[@./]|:\/\/|^[\w-]+\.\w+$|^[\w .,-]+: |^\d+\.\d/.test(text);

/** What the suites send as programs: those of the language, of checks and plans, of the engine, of conformance. */
const TEXTS = suiteTexts(
  [
    "packages/core/src",
    "packages/core/test",
    "packages/agent-core/src",
    "packages/runtime/src",
    "e2e/src",
  ],
  (name) => /\.test\.ts$|(?:^|\/)(?:rows-[\w-]+|error-examples)\.ts$/.test(name),
).filter(isProgram);

/** A harbour whose columns are those that programs of the suites of the language name. */
const letters = exposureOf([
  buildCatalog("letters", {
    entities: {
      Boat: {
        fields: {
          id: "str",
          a: "json",
          b: "json",
          c: "json",
          d: "json",
          x: "json",
          name: "str",
          note: "str",
          state: "lost|moored",
          built: "date",
          length: "int",
          archived: "bool",
          owner: "→Person",
        },
      },
      Person: { fields: { id: "str", login: "str", name: "str", a: "json", b: "json", x: "json" } },
    },
    capabilities: {
      boat_query: { kind: "query", entity: "Boat", paged: true },
      boat_get: { kind: "get", entity: "Boat" },
      boat_search: { kind: "search", entity: "Boat", params: { q: "str" }, roles: { q: "search" } },
      boat_update: { kind: "update", entity: "Boat", params: { "name?": "str", "note?": "str" } },
      boat_create: { kind: "create", entity: "Boat", params: { name: "str", "owner?": "→Person" } },
      person_query: { kind: "query", entity: "Person" },
      person_get: { kind: "get", entity: "Person" },
      person_ping: { kind: "action", entity: "Person" },
    },
  }),
]);

/** Sessions, and how much of their advice must have been found: less means that the replay sees less. */
const SESSIONS: readonly (readonly [
  name: string,
  session: Exposure,
  floor: { readonly programs: number; readonly suggestions: number; readonly statements: number },
])[] = [
  ["quay", quayExposure, { programs: 6700, suggestions: 1190, statements: 385 }],
  ["quay and yard", quayAndYard, { programs: 7600, suggestions: 1040, statements: 315 }],
  ["letters", letters, { programs: 7000, suggestions: 1350, statements: 360 }],
  [
    "an orchard in names",
    fixtureExposure(["orchard", "depot"], { notation: "names" }),
    { programs: 7700, suggestions: 1040, statements: 305 },
  ],
];

describe("17.14, 17.18: every correction that the suites show, replayed (ERR-006, ERR-008)", () => {
  test.each(SESSIONS)(
    "in a session of %s",
    (_, exposure, floor) => {
      const found = { programs: 0, suggestions: 0, statements: 0 };
      const faults: string[] = [];
      for (const program of TEXTS) {
        const compiled = compileProgram(program, exposure);
        if (compiled.kind !== "errors") continue;
        const { suggestions, statements, ...rest } = replay({ program, exposure }, compiled.errors);
        found.programs += 1;
        found.suggestions += suggestions.length;
        found.statements += statements.length;
        faults.push(...rest.faults);
      }
      expect(faults).toEqual([]);
      expect(found.programs).toBeGreaterThanOrEqual(floor.programs);
      expect(found.suggestions).toBeGreaterThanOrEqual(floor.suggestions);
      expect(found.statements).toBeGreaterThanOrEqual(floor.statements);
    },
    300_000,
  );
});
