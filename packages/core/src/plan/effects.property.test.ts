import fc from "fast-check";
import { assertProperty } from "@plasm/testkit";
import { expect, test } from "vitest";
import { arbitraryEffect } from "../../test/arbitrary-effects.ts";
import { arbitraryChain, type Pieces, spell } from "../../test/arbitrary-program.ts";
import { planOf as planned } from "../../test/plan-of.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { changedEffects, respelledEffects } from "../../test/properties/commits.ts";
import { spelledEffects } from "../../test/properties/notations.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { compileProgram } from "./compile.ts";
import type { Plan } from "./ir.ts";

const settings = { features: ALL_FEATURES };
const planOf = (text: string): Plan => planned(text, quayExposure, settings);
const never = (): boolean => false;
const plain = (pieces: Pieces): string => spell(pieces, quayExposure, never);

/** Lines of reads and effects, at least one of each not certain. */
const lines = fc.array(fc.oneof(arbitraryChain, arbitraryEffect), { minLength: 1, maxLength: 5 });

const isEffect = (node: Plan["nodes"][number]): boolean =>
  node.effect_class === "write" || node.effect_class === "side_effect";

test("P21: symbols and names give one plan, effects included", () =>
  assertProperty(spelledEffects));

test("P14: labels, comments, blanks and line ends change no commit of effects", () =>
  assertProperty(respelledEffects));

test("P14: an executable fact of an effect changes the commit", () =>
  assertProperty(changedEffects));

test("each effect is in the plan once, in source order, each a stage of its own (LANG-072 to LANG-074)", () => {
  fc.assert(
    fc.property(lines, fc.boolean(), (chains, bind) => {
      const written = chains.map(plain);
      const text = written.map((line, at) => (bind ? `x_${at} = ${line}` : line)).join("\n");
      const compiled = compileProgram(text, quayExposure, settings);
      const count = written.filter((line) => /ping|delete|send|update|create/.test(line)).length;
      expect(compiled.kind).toBe(bind && count === 0 ? "errors" : "plan");
      const plan = compiled.kind === "plan" ? compiled.plan : null;
      const effects = (plan?.nodes ?? []).filter(isEffect);
      expect(effects.map(({ stage }) => stage)).toEqual([...effects.keys()]);
      expect(effects).toHaveLength(count);
      const listed = (plan?.summary.effects ?? []).map(({ node }) => node);
      expect(listed).toEqual(effects.map(({ id }) => id));
    }),
  );
});

test("nothing is made from what comes after it (PLAN-004)", () => {
  fc.assert(
    fc.property(lines, (chains) => {
      const { nodes, edges, topological_order } = planOf(chains.map(plain).join("\n"));
      const place = new Map(topological_order.map((id, at) => [id, at]));
      const byId = new Map(nodes.map((node) => [node.id, node]));
      for (const { from, to } of edges) {
        const [input, node] = [byId.get(from), byId.get(to)];
        if (input === undefined || node === undefined) throw new Error("an edge to nowhere");
        expect(place.get(from)).toBeLessThan(place.get(to) ?? -1);
        expect(input.stage + (isEffect(input) ? 1 : 0)).toBeLessThanOrEqual(node.stage);
      }
    }),
  );
});

test("the order of effects is a fact, that of pure lines is none (PLAN-003)", () => {
  const effect = arbitraryEffect.map(plain);
  fc.assert(
    fc.property(effect, effect, (first, second) => {
      const there = planOf(`a = ${first}\nb = ${second}\na\nb`);
      const back = planOf(`b = ${second}\na = ${first}\na\nb`);
      if (first === second) return;
      expect(back.commit).not.toBe(there.commit);
    }),
  );
  const one = planOf('a = Boat\nb = Person\nx = Boat("b1").ping()\na\nb').commit;
  expect(planOf('b = Person\na = Boat\nx = Boat("b1").ping()\na\nb').commit).toBe(one);
});
