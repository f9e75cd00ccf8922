import {
  editDistance,
  type Json,
  type JsonObject,
  type PreflightStep,
  testValue,
  type ValueType,
} from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";
import { clip, jsonText } from "../json-kinds.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { PreflightState } from "./preflight-call.ts";
import { argumentOf, capabilityOf, carriedTo, cellOf, scopeValue } from "./step-values.ts";

type PickStep = Extract<PreflightStep, { kind: "query_pick" }>;

/** How many rows an error lists (RUN-104). */
const CANDIDATES = 5;

/** How far apart two spellings are still told apart when candidates are put in order. */
const FARTHEST = 8;

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/**
 * Finds the one row whose field equals an argument, exactly, and binds fields of it; skipped where its
 * `when` argument is absent. None or several are a failure that lists up to five (RUN-104).
 */
export async function pickRow(state: PreflightState, step: PickStep): Promise<JsonObject> {
  const { call, reads } = state;
  if (step.when !== undefined && argumentOf(call, step.when) === null) return {};
  const { field, equalsParam } = step.pick;
  const wanted = argumentOf(call, equalsParam);
  if (wanted === null) throw lacking(equalsParam);
  const query = capabilityOf(call, step.query);
  const scope = [...step.scope]
    .map(([name, from]) => [name, scopeValue(state, name, from)] as const)
    .filter(([, value]) => value !== null);
  const carried = carriedTo(call, query);
  const rows = await reads.all(query, Object.fromEntries(scope), carried);
  const type = call.catalog.cgs.entities.get(query.entity)?.fields.get(field)?.type ?? TEXT;
  const found = rows.filter((row) => testValue(cellOf(row, field), "=", wanted, type));
  const [row] = found;
  if (row === undefined || found.length > 1) {
    throw undecided({ entity: query.entity, field, param: equalsParam, wanted }, found, rows);
  }
  return Object.fromEntries([...step.merge].map(([name, from]) => [name, cellOf(row, from)]));
}

/** What was looked for. */
export interface Sought {
  readonly entity: string;
  readonly field: string;
  /** what the value is compared with, in words, where it is more than that field */
  readonly by?: string;
  readonly param: string;
  readonly wanted: Json;
}

/** The failure of a look-up that found no row or several, with candidates (RUN-104). */
export function undecided(
  { entity, field, by = field, param, wanted }: Sought,
  found: readonly EntityRow[],
  rows: readonly EntityRow[],
): RunFailure {
  const value = shown(wanted);
  const what = `${by} ${value}, which ${param} asks for`;
  if (found.length > 1) {
    const list = listed(found, field);
    return new RunFailure(
      failure(
        "argument_invalid",
        `${found.length} ${entity} rows have ${what}: ${list}.`,
        `give ${param} a value that one row alone has, or make them differ`,
      ),
    );
  }
  const near =
    rows.length === 0 ? "there is no row at all" : `there are ${nearest(rows, field, wanted)}`;
  return new RunFailure(
    failure(
      "argument_invalid",
      `No ${entity} has ${what}; ${near}.`,
      `give ${param} the ${by} of a row, exactly as it is written`,
    ),
  );
}

const shown = (value: Json): string => JSON.stringify(clip(jsonText(value), 60));

function listed(rows: readonly EntityRow[], field: string): string {
  const texts = rows.slice(0, CANDIDATES).map((row) => {
    const cell = cellOf(row, field);
    const name = row.identity === null ? "a row without identity" : clip(row.identity.text, 80);
    return cell === null ? name : `${name} (${shown(cell)})`;
  });
  const more = rows.length - texts.length;
  return texts.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The rows whose value is most like the wanted one first; equally like ones keep their order. */
function nearest(rows: readonly EntityRow[], field: string, wanted: Json): string {
  const text = jsonText(wanted).toLowerCase();
  const ranked = rows.map((row) => {
    const own = jsonText(cellOf(row, field)).toLowerCase();
    return { row, distance: editDistance(text, own, FARTHEST) };
  });
  return listed(
    ranked.toSorted((a, b) => a.distance - b.distance).map(({ row }) => row),
    field,
  );
}

function lacking(param: string): RunFailure {
  return new RunFailure(
    failure("argument_missing", `It needs ${param} to find a row.`, `give ${param}`),
  );
}
