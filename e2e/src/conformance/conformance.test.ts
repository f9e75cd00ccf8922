import { beforeAll, describe, expect, test } from "vitest";
import type { Seed } from "../harness/agent-client.ts";
import { seedsOf } from "../harness/open-session.ts";
import { sampleData } from "../harness/sample-data.ts";
import { taughtSymbols } from "../harness/taught-symbols.ts";
import { useWorld } from "../harness/use-world.ts";
import type { World } from "../harness/world.ts";
import { checkCase, type Session } from "./check-case.ts";
import type { ConformanceRow, Reading, Refused } from "./conformance-row.ts";
import { COMPUTED_ROWS } from "./rows-computed.ts";
import { JOINED_ROWS } from "./rows-joined.ts";
import { CONDITION_ROWS } from "./rows-conditions.ts";
import { DERIVED_ROWS } from "./rows-derived.ts";
import { MISTAKE_ROWS } from "./rows-mistakes.ts";
import { READ_ROWS } from "./rows-reads.ts";
import { RELATION_ROWS } from "./rows-relations.ts";
import { STEP_ROWS } from "./rows-steps.ts";
import { TEMPLATE_ROWS } from "./rows-templates.ts";
import { TEXT_ROWS } from "./rows-text.ts";
import { WHOLE_ROWS } from "./rows-whole.ts";
import { UNION_ROWS } from "./rows-unions.ts";
import { VIEW_ROWS } from "./rows-views.ts";

const ROWS: readonly ConformanceRow[] = [
  ...READ_ROWS,
  ...RELATION_ROWS,
  ...CONDITION_ROWS,
  ...COMPUTED_ROWS,
  ...JOINED_ROWS,
  ...DERIVED_ROWS,
  ...STEP_ROWS,
  ...VIEW_ROWS,
  ...TEMPLATE_ROWS,
  ...TEXT_ROWS,
  ...UNION_ROWS,
  ...WHOLE_ROWS,
  ...MISTAKE_ROWS,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const QUAY = seedsOf(
  "quay",
  "Boat",
  "Digest",
  "Log",
  "Office",
  "Paper",
  "Person",
  "Stats",
  "Visit",
);
const YARD = seedsOf("yard", "Boat", "Part");

/** Each row runs through MCP and through plain HTTP. */
const WIRES = ["MCP 2026 over HTTP", "HTTP"] as const;
type Wire = (typeof WIRES)[number];

interface Sessions {
  readonly quay: Session;
  readonly withYard: Session;
  readonly onePage: Session;
}

const world = useWorld();
/** Its server reads one page of a list in one run. */
const thrifty = useWorld(() => ({ env: { PLASM_BUDGET_PAGES: "1" } }));
const sessions = new Map<Wire, Sessions>();

async function open(
  place: World,
  wire: Wire,
  seeds: readonly Seed[],
  data: Session["data"],
): Promise<Session> {
  const agent = await place.newAgent(wire);
  const { text, meta } = await agent.context({
    intent: `${wire}, ${seeds.length} seeds`,
    seeds,
    notation: "symbols",
  });
  const symbols = taughtSymbols(text);
  return { agent, ref: meta.logical_session_ref, symbols, apis: place.apis, data };
}

beforeAll(async () => {
  const data = await sampleData(world().apis);
  for (const wire of WIRES) {
    const quay = await open(world(), wire, QUAY, data);
    const withYard = await open(world(), wire, [...QUAY, ...YARD], data);
    const onePage = await open(thrifty(), wire, QUAY, data);
    sessions.set(wire, { quay, withYard, onePage });
  }
});

function sessionOf(wire: Wire, { yard, onePage }: Reading | Refused): Session {
  const found = sessions.get(wire);
  if (found === undefined) throw new Error(`${wire} has no session`);
  if (onePage === true) return found.onePage;
  return yard === true ? found.withYard : found.quay;
}

describe("conformance, dry and live, through MCP and HTTP", () => {
  test.each(ROWS)("$id $construct", async ({ cases }) => {
    expect(cases.length).toBeGreaterThan(0);
    for (const one of cases) {
      const answers: unknown[] = [];
      for (const wire of WIRES) {
        answers.push(await checkCase(sessionOf(wire, one), one));
      }
      expect(answers[1], one.program).toEqual(answers[0]);
    }
  });

  test("every id stands in one row", () => {
    expect(new Set(ROWS.map(({ id }) => id)).size).toBe(ROWS.length);
  });
});
