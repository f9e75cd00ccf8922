import { beforeAll, describe, expect, test } from "vitest";
import { seedsOf } from "../harness/open-session.ts";
import { sampleData } from "../harness/sample-data.ts";
import { taughtSymbols } from "../harness/taught-symbols.ts";
import { useWorld } from "../harness/use-world.ts";
import type { World } from "../harness/world.ts";
import { checkCase, type Session } from "./check-case.ts";
import { checkEffect } from "./check-effect.ts";
import type { EffectRow, Effecting } from "./effect-row.ts";
import { EFFECT_ORDER_ROWS, EFFECT_ROWS } from "./rows-effects.ts";

const ROWS: readonly EffectRow[] = [...EFFECT_ROWS, ...EFFECT_ORDER_ROWS];
const BOATS = seedsOf("quay", "Boat");
const ALL = [
  ...seedsOf("quay", "Boat", "Log", "Office", "Paper", "Person", "Visit"),
  ...seedsOf("yard", "Part"),
];

/** Each row runs through MCP and through plain HTTP. */
const WIRES = ["MCP 2026 over HTTP", "HTTP"] as const;
type Wire = (typeof WIRES)[number];
type Where = NonNullable<Effecting["in"]> | "whole";

const world = useWorld();
/** Its server reads one page of a list in one run. */
const thrifty = useWorld(() => ({ env: { PLASM_BUDGET_PAGES: "1" } }));
const sessions = new Map<string, Session>();

async function open(place: World, wire: Wire, where: Where): Promise<void> {
  const agent = await place.newAgent(wire);
  const seeds = where === "boats alone" ? BOATS : ALL;
  const { text, meta } = await agent.context({
    intent: `${wire}, ${where}`,
    seeds,
    notation: "symbols",
  });
  sessions.set(`${wire}, ${where}`, {
    agent,
    ref: meta.logical_session_ref,
    symbols: taughtSymbols(text),
    apis: place.apis,
    data: await sampleData(place.apis),
  });
}

function sessionOf(wire: Wire, where: Where): Session {
  const found = sessions.get(`${wire}, ${where}`);
  if (found === undefined) throw new Error(`${wire} has no session of ${where}`);
  return found;
}

beforeAll(async () => {
  for (const wire of WIRES) {
    await open(world(), wire, "whole");
    await open(world(), wire, "boats alone");
    await open(thrifty(), wire, "one page");
  }
});

describe("conformance of effects, dry and live, through MCP and HTTP", () => {
  test.each(ROWS)("$id $construct", async ({ cases }) => {
    for (const one of cases) {
      const answers: unknown[] = [];
      for (const wire of WIRES) {
        answers.push(
          "errors" in one
            ? await checkCase(sessionOf(wire, "whole"), one)
            : await checkEffect(sessionOf(wire, one.in ?? "whole"), one),
        );
      }
      expect(answers[1], one.program).toEqual(answers[0]);
    }
  });

  test("C-052 a relative date is one plan on every day, its bound that of the run", async () => {
    const program = "Boat{built>today-7d}[id, built]";
    for (const wire of WIRES) {
      const { agent, ref, data } = sessionOf(wire, "whole");
      const { meta, text } = await agent.plan(ref, program);
      expect(JSON.stringify(meta.plan.nodes)).toContain('{"now":"today-7d"}');
      const bound = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
      expect(text).toContain(bound);
      const run = await agent.run(ref, program, { plan_commit_ref: meta.plan_commit_ref });
      const later = data.boats.filter(({ built }) => built !== null && built > bound);
      expect(later.length).toBeGreaterThan(0);
      expect(run.results[0]?.rows).toEqual(later.map(({ id, built }) => ({ id, built })));
    }
  });
});
