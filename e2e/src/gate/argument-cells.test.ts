import type { JsonObject } from "@plasm/core";
import {
  ARGUMENT_CELLS,
  argumentName,
  type ArgumentCell,
  type ArgumentOutcome,
  type CellArguments,
} from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { callTool, refIn, requestOf, type Told } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const EFFECT = 'Boat("b1").ping()';
const SEEDS = [{ api: "quay", entity: "Boat" }];

const world = useGateWorld();

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value === "string") return value;
  throw new Error(`${name} is no text`);
}

/** The arguments with the plan's own ref where a cell says so. */
const filled = ({ plan_commit_ref: live, ...given }: CellArguments, ref: string) => ({
  ...given,
  ...(live === undefined ? {} : { plan_commit_ref: ref }),
});

async function overHttp(
  path: string,
  query: object,
  body: object,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
  const response = await world().fetch(
    requestOf("POST", `${path}${search}`, { program: EFFECT, ...body }),
  );
  return { status: response.status, body: (await response.json()) as JsonObject };
}

const metaIn = (body: JsonObject): JsonObject =>
  ((body["_meta"] as JsonObject | undefined)?.["plasm"] ?? {}) as JsonObject;

/** What a call came to; an acceptance over HTTP is told by its status, too. */
function outcomeOf(meta: JsonObject, code: string | null, status: number | null): ArgumentOutcome {
  if (code === "plasm-review-required") return "blocked";
  if (code !== null) return code as ArgumentOutcome;
  if (meta["op"] !== undefined) return status === 200 ? "answered" : "accepted";
  if (meta["explained"] !== undefined) return "explained";
  return meta["dry_run"] === true ? "dry run" : "answered";
}

async function call(
  { place, given, also }: ArgumentCell,
  session: { readonly ref: string; readonly path: string },
  ref: string,
): Promise<ArgumentOutcome> {
  if (place === "plasm_run" || place === "tool plasm") {
    const args = { logical_session_ref: session.ref, program: EFFECT, ...filled(given, ref) };
    const told: Told = await callTool(world().fetch, place === "plasm_run" ? place : "plasm", args);
    return outcomeOf(told.meta, told.code, null);
  }
  const [query, body] = place === "query" ? [given, also ?? {}] : [{}, given];
  const told = await overHttp(session.path, filled(query, ref), filled(body, ref));
  const code = told.status < 400 ? null : textIn(told.body, "code");
  return outcomeOf(metaIn(told.body), code, told.status);
}

/** How many requests a call with this outcome may have sent, at once or by itself. */
const mayAsk = (outcome: ArgumentOutcome): boolean =>
  outcome === "answered" || outcome === "accepted" || outcome === "explained";

describe("arguments of programs, cell by cell (OPS-34, L29, L30)", () => {
  it.each(ARGUMENT_CELLS.map((cell) => [argumentName(cell), cell] as const))(
    "%s",
    async (name, cell) => {
      const opened = await callTool(world().fetch, "plasm_context", {
        intent: name,
        seeds: SEEDS,
        notation: "names",
      });
      const binding = opened.meta["execute_binding"] as JsonObject;
      const path = `/execute/${textIn(binding, "prompt_hash")}/${textIn(binding, "session_id")}`;
      const session = { ref: textIn(opened.meta, "logical_session_ref"), path };
      const args = { logical_session_ref: session.ref, program: EFFECT };
      const planned = await callTool(world().fetch, "plasm", args);
      world().sent();
      expect(await call(cell, session, refIn(planned))).toBe(cell.outcome);
      expect(mayAsk(cell.outcome) ? [] : world().sent()).toEqual([]);
    },
  );
});
