import { createHash } from "node:crypto";
import type { RunAnswer } from "../answer.ts";
import { Failure } from "../errors/failure.ts";
import type { EndedRun } from "./end-of-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import type { RunPlace } from "./stored-effect-log.ts";

/** Keeps the end of a run; the first one stored is final (OPS-12). */
export async function keepEnd(deps: LiveDeps, place: RunPlace, end: EndedRun): Promise<void> {
  const found = await deps.store.get("run", place.scope, place.id);
  if (found === null || found.value.state === "ended") return;
  const bytes = Buffer.from(JSON.stringify(end), "utf8");
  const answer = createHash("sha256").update(bytes).digest("hex");
  await deps.store.putBlob(answer, bytes);
  const next = { ...found.value, state: "ended" as const, endedAt: deps.store.now(), answer };
  await deps.store.cas("run", place.scope, place.id, found.version, next);
}

/** The stored end of a run, or null if it is no longer kept. */
export async function readEnd(deps: LiveDeps, sha256: string | null): Promise<EndedRun | null> {
  const bytes = sha256 === null ? null : await deps.store.getBlob(sha256);
  return bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString("utf8")) as EndedRun);
}

/** Answers or throws as the run itself did, with a note where this is not the first time. */
export function tell(end: EndedRun, note: string | null): RunAnswer {
  const noted = (text: string): string => (note === null ? text : `${text}\nnote: ${note}`);
  if (end.kind === "answer") return { ...end.answer, text: noted(end.answer.text) };
  throw new Failure({ ...end.problem, text: noted(end.problem.text) });
}
