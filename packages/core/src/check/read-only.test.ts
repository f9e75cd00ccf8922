import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryEffect } from "../../test/arbitrary-effects.ts";
import { arbitraryChain, spell } from "../../test/arbitrary-program.ts";
import { fixtureExposure, m, quayExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { formatErrors } from "../diagnostics/diagnostic.ts";
import { compileProgram } from "../plan/compile.ts";
import { effectKind } from "../policy/may-use.ts";

const readOnly = fixtureExposure(["quay"], { readOnly: true });
/** What the waves of such a session leave out for policy's sake. */
const untaught: ReadonlySet<string> = new Set(
  [...(readOnly.catalogs.get("quay")?.cgs.capabilities.values() ?? [])]
    .filter(({ kind }) => effectKind(kind) !== null)
    .map(({ name }) => `quay/${name}`),
);
const ping = m("Boat", "ping");

test.each([
  ["a row's method", 'Boat("b1").ping()', "ping", "ping of Boat"],
  ["a create", 'Boat.create(name="x", owner=Person("ann"))', "create", "create of Boat"],
  ["in symbols", `e1("b1").${ping}()`, ping, `${ping} (ping) of e1 (Boat)`],
  ["half and half", `Boat("b1").${ping}()`, ping, `${ping} (ping) of e1 (Boat)`],
  ["for each row", "Boat{state=lost} => _.delete()", "delete", "delete of Boat"],
  ["for each row, by key", "Boat => Boat(_.id).ping()", "ping", "ping of Boat"],
  ["bound, never returned", 'x = Boat("b1").ping()', "ping", "ping of Boat"],
  ["without parentheses", 'Boat("b1").ping', "ping", "ping of Boat"],
  ["with wrong arguments", 'Boat("b1").ping(colour=red)', "ping", "ping of Boat"],
])("TEACH-25 a session that only reads refuses an effect: %s", (_, program, at, name) => {
  const [error, ...more] = errorsOf(program, readOnly, { untaught });
  expect(more).toEqual([]);
  expect(program.slice(error?.span.start, error?.span.end)).toBe(at);
  expect(error).toMatchObject({
    code: "policy_denied",
    message: `${name} changes data, and this session only reads.`,
    correction: expect.stringContaining("open a session without read_only, with another intent"),
  });
});

test("what a table did not teach for the session's sake is told of, what policy hides is not (SURF-26)", () => {
  expect(untaught).toContain("quay/boat_ping");
  expect(errorsOf('Boat("b1").ping()', readOnly, { untaught })).toMatchObject([
    { code: "policy_denied" },
  ]);
  const policy = { apis: { quay: { deny: ["boat_ping"] } } };
  for (const program of ['Boat("b1").ping()', 'Boat("b1").ping']) {
    const [error] = errorsOf(program, { ...readOnly, policy }, { untaught });
    expect(error?.code).toBe("unknown_method");
    expect(error?.correction).not.toMatch(/ping|delete/);
  }
});

test("corrections offer reads alone (ERR-006)", () => {
  const [error] = errorsOf('Boat("b1").double', readOnly, { untaught });
  expect(error?.correction).toContain("query-owner");
  expect(error?.correction).not.toMatch(/create|update|delete|ping|send/);
});

test("reads plan as in any session, to the same commit", () => {
  fc.assert(
    fc.property(arbitraryChain, fc.boolean(), (chain, symbolic) => {
      const text = spell(chain, quayExposure, () => symbolic);
      expect(planOf(text, readOnly, { untaught }).commit).toBe(planOf(text).commit);
    }),
  );
});

test("no program with an effect plans, however it is spelled and whatever stands beside it", () => {
  const bits = fc.infiniteStream(fc.boolean());
  const reads = fc.array(arbitraryChain, { maxLength: 2 });
  fc.assert(
    fc.property(reads, arbitraryEffect, reads, bits, (before, effect, after, coins) => {
      const coin = () => coins.next().value === true;
      const lines = [...before, effect, ...after].map((line) => spell(line, quayExposure, coin));
      const compiled = compileProgram(lines.join("\n"), readOnly, { untaught });
      if (compiled.kind !== "errors") throw new Error(`${lines.join("\n")} planned`);
      expect(compiled.errors.map(({ code }) => code)).toEqual(["policy_denied"]);
      expect(formatErrors(compiled)).toContain("this session only reads");
    }),
  );
});
