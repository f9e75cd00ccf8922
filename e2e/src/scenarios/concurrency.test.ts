import { describe, expect, test } from "vitest";
import type { AgentClient, Seed } from "../harness/agent-client.ts";
import { seedsOf } from "../harness/open-session.ts";
import type { Surface } from "../harness/surfaces.ts";
import { taughtSymbols } from "../harness/taught-symbols.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();

/** Two processes, one process, and every kind of connection between them. */
const PAIRS: readonly (readonly [Surface, Surface])[] = [
  ["MCP 2025 over stdio", "MCP 2026 over stdio"],
  ["MCP 2025 over HTTP", "MCP 2026 over HTTP"],
  ["MCP 2026 over stdio", "HTTP"],
  ["MCP 2025 over HTTP", "HTTP"],
];

const ALL: readonly Seed[] = [
  ...seedsOf("quay", "Boat", "Log", "Office", "Paper", "Person", "Visit"),
  ...seedsOf("yard", "Boat", "Part"),
];
const ROUNDS = 4;

/**
 * How many entities a session holds: every one once, numbered from 1 without gaps, each wave after the
 * one before (P2, TEACH-1).
 */
async function wholeSize(agent: AgentClient, intent: string): Promise<number> {
  const { text, meta } = await agent.context({
    intent,
    seeds: ALL.slice(0, 1),
    replay: true,
    notation: "symbols",
  });
  const { entities, slots } = taughtSymbols(text);
  const numbers = [...entities.values()].map((symbol) => Number(symbol.slice(1)));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_number, index) => index + 1));
  expect(meta.waves.map(({ n }) => n)).toEqual(meta.waves.map((_wave, index) => index + 1));
  expect(meta.domain_revision).toBe(meta.waves.length);
  const taught = meta.waves.flatMap(({ entry_id: id, entities: names }) =>
    names.map((name) => `${id}.${name}`),
  );
  expect(new Set(taught).size).toBe(taught.length);
  expect(new Set(slots.values()).size).toBe(slots.size);
  return entities.size;
}

describe.each(PAIRS)("%s and %s with one intent", (left, right) => {
  async function both() {
    return [await world().agent(left), await world().agent(right)] as const;
  }

  test("F23 two that open it at once with different seeds share one session", async () => {
    const [one, other] = await both();
    for (let round = 0; round < ROUNDS; round += 1) {
      const intent = `${left}, ${right}: open ${round}`;
      const [a, b] = await Promise.all([
        one.context({ intent, seeds: ALL.slice(0, 2), notation: "symbols" }),
        other.context({ intent, seeds: ALL.slice(6), notation: "symbols" }),
      ]);
      expect(b.meta.execute_binding).toEqual(a.meta.execute_binding);
      expect(b.meta.logical_session_ref).toBe(a.meta.logical_session_ref);
      expect(await wholeSize(one, intent)).toBe(4);
    }
  });

  test("F6 seeds sent at once lose no wave and take no symbol twice", async () => {
    const [one, other] = await both();
    for (let round = 0; round < ROUNDS; round += 1) {
      const intent = `${left}, ${right}: seeds ${round}`;
      await one.context({ intent, seeds: ALL.slice(0, 1), notation: "symbols" });
      await other.context({ intent, seeds: ALL.slice(0, 1), notation: "symbols" });
      await Promise.all(
        ALL.map((seed, at) =>
          (at % 2 === 0 ? one : other).context({
            intent,
            seeds: [seed, ...ALL.slice(0, at)],
            notation: "symbols",
          }),
        ),
      );
      expect(await wholeSize(other, intent)).toBe(ALL.length);
    }
  });

  test("P5 opens at once of one intent give one uuid and one ref", async () => {
    const [one, other] = await both();
    const intent = `${left}, ${right}: the same`;
    const seeds = ALL.slice(0, 1);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) =>
        (at % 2 === 0 ? one : other).context({ intent, seeds, notation: "symbols" }),
      ),
    );
    const ids = answers.map(({ meta }) => `${meta.logical_session_id} ${meta.logical_session_ref}`);
    expect(new Set(ids).size).toBe(1);
    const reused = answers.filter(({ meta }) => meta.reused);
    expect(reused).toHaveLength(answers.length - 1);
  });
});
