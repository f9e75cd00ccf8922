import { fixtureCatalogNames, habitPrograms } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { NAME_ERRORS, TEXT_ERRORS } from "../../test/error-examples.ts";
import { sessionOf } from "../../test/error-sessions.ts";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { fixtureExposure, quayExposure } from "../../test/fixture-exposure.ts";
import { type Answered, replay, type Replay } from "../../test/replay.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { compileProgram } from "./compile.ts";

/** What the errors of a program advise, taken; a program without errors is advised nothing. */
function replayed(program: string, exposure: Exposure): Replay {
  const answered: Answered = { program, exposure, settings: { features: ALL_FEATURES } };
  const compiled = compileProgram(program, exposure, answered.settings);
  return replay(answered, compiled.kind === "errors" ? compiled.errors : []);
}

function all(replays: readonly Replay[]): Record<keyof Replay, readonly string[]> {
  return {
    suggestions: replays.flatMap(({ suggestions }) => suggestions),
    statements: replays.flatMap(({ statements }) => statements),
    seeds: replays.flatMap(({ seeds }) => seeds),
    faults: replays.flatMap(({ faults }) => faults),
  };
}

const EXAMPLES = Object.values({ ...TEXT_ERRORS, ...NAME_ERRORS }).flat();

describe("17.14, 17.18: what corrections advise works in the session of their program (ERR-006, ERR-008)", () => {
  test("of each example of the errors specification", () => {
    const found = all(EXAMPLES.map((one) => replayed(one.program, sessionOf(one.session))));
    expect(found.faults).toEqual([]);
    expect(found.suggestions.length).toBeGreaterThanOrEqual(20);
    expect(found.statements.length).toBeGreaterThanOrEqual(10);
    expect(found.seeds).toContain("quay/Log");
  });

  test.each([
    ["Boat.aggregate(sum(nope))", "Columns: built, "],
    ["Boat.aggregate(sum(nam))", "Columns: built, "],
    ["visits", "Labels: none yet. "],
    ["len(Boat{state=lost})", "write a literal or one column of found here"],
    ["Boat{owner=Person{}}", "write a literal or one column of found here"],
  ])("words do not advise what is then refused: %s", (program, says) => {
    const compiled = compileProgram(program, quayExposure, { features: ALL_FEATURES });
    const [error] = compiled.kind === "errors" ? compiled.errors : [];
    expect(error?.suggestedProgram).toBeNull();
    expect(error?.correction).toContain(says);
    expect(error?.correction).not.toMatch(/use \w+\. |write found here/);
  });

  test("words advise what is suggested", () => {
    const program = "Boat.aggregate(sum(lenght))";
    const compiled = compileProgram(program, quayExposure, { features: ALL_FEATURES });
    const [error] = compiled.kind === "errors" ? compiled.errors : [];
    expect(error?.correction).toMatch(/^use length\. Columns: /);
    expect(error?.suggestedProgram).toBe("Boat.aggregate(sum(length))");
  });

  test("of each habit, and of each suggestion that one suggestion leads to", () => {
    const programs = habitPrograms().map(({ program }) => program);
    const first = all(programs.map((program) => replayed(program, quayExposure)));
    const then = all(first.suggestions.map((program) => replayed(program, quayExposure)));
    expect([...first.faults, ...then.faults]).toEqual([]);
    expect(first.suggestions.length).toBeGreaterThanOrEqual(100);
    expect(first.statements.length).toBeGreaterThanOrEqual(40);
  });
});

describe("17.14: a seed that a correction names is one, and mends what it is named for (LANG-020)", () => {
  test.each(fixtureCatalogNames.map((name) => [name]))("%s: each entity, from each", (name) => {
    const entities = [...fixtureCatalog(name).cgs.entities.values()];
    const found = all(
      entities.flatMap((held) => {
        const exposure = fixtureExposure([[name, held.name]]);
        const relations = [...held.relations.values()].map(({ name: to }) => `${held.name}.${to}`);
        const fields = [...held.fields.keys()].map((field) => `${held.name}.limit(1).${field}`);
        const heads = entities.flatMap((other) => [other.name, `${other.name}("x")`]);
        return [...heads, ...relations, ...fields].map((each) => replayed(each, exposure));
      }),
    );
    expect(found.faults).toEqual([]);
    // Of each entity at least one other names it: alone there is none to name.
    expect(found.seeds.length).toBeGreaterThanOrEqual(
      entities.length * Math.min(1, entities.length - 1),
    );
  });
});
