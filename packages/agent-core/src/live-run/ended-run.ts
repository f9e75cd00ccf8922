import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@plasm/core";
import type { RunAnswer } from "../answer.ts";
import { Failure } from "../errors/failure.ts";
import type { EndedRun } from "./end-of-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import type { OwnedRun } from "./stored-effect-log.ts";
import { noteEnded } from "./unfinished-runs.ts";

/** A lease that is renewed meanwhile moves the record on; nothing else does for long. */
const ATTEMPTS = 50;

/** The stored end of a run, or null if it is no longer kept. */
export async function readEnd(deps: LiveDeps, sha256: string | null): Promise<EndedRun | null> {
  const bytes = sha256 === null ? null : await deps.store.getBlob(sha256);
  return bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString("utf8")) as EndedRun);
}

async function keep(deps: LiveDeps, run: OwnedRun, end: EndedRun): Promise<EndedRun> {
  const { store } = deps;
  const bytes = Buffer.from(JSON.stringify(end), "utf8");
  const answer = createHash("sha256").update(bytes).digest("hex");
  await store.putBlob(answer, bytes);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await store.get("run", run.scope, run.id);
    if (found === null || found.value.owner !== run.owner) return end;
    if (found.value.state === "ended") return (await readEnd(deps, found.value.answer)) ?? end;
    const next = { ...found.value, state: "ended" as const, endedAt: store.now(), answer };
    if (!(await store.cas("run", run.scope, run.id, found.version, next))) continue;
    await noteEnded(store, run);
    return end;
  }
  throw new Error("The record of a run kept changing");
}

/**
 * Keeps the end of a run and gives the one that stands: the first one stored is final (OPS-12). An
 * end that the store refuses is told all the same; recovery will tell it from the effect log.
 */
export async function keepEnd(deps: LiveDeps, run: OwnedRun, end: EndedRun): Promise<EndedRun> {
  try {
    return await keep(deps, run, end);
  } catch (cause) {
    deps.warn("The answer of a run could not be kept", cause);
    return end;
  }
}

const noted = (meta: JsonObject, note: string): JsonObject => ({ ...meta, note });

/** An answer with a remark of its own: in its text, and as data for those who do not read it. */
export const withNote = (answer: RunAnswer, note: string): RunAnswer => ({
  ...answer,
  text: `${answer.text}\nnote: ${note}`,
  meta: noted(answer.meta, note),
});

/** Answers or throws as the run itself did, with a note where this is not the first time. */
export function tell(end: EndedRun, note: string | null): RunAnswer {
  if (end.kind === "answer") return note === null ? end.answer : withNote(end.answer, note);
  if (note === null) throw new Failure(end.problem);
  const { text, meta } = end.problem;
  throw new Failure({ ...end.problem, text: `${text}\nnote: ${note}`, meta: noted(meta, note) });
}

/** `r/3`: the first snapshot of a run, or null if it left none. */
export function firstSnapshot(end: EndedRun): string | null {
  const meta: JsonObject = end.kind === "answer" ? end.answer.meta : end.problem.meta;
  const steps = meta["steps"];
  const first: Json | undefined = Array.isArray(steps) ? (steps as readonly Json[])[0] : undefined;
  const n = (first as JsonObject | undefined)?.["n"];
  return typeof n === "number" ? `r/${n}` : null;
}
