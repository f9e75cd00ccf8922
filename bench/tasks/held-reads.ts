import type { Reason } from "@plasm/core";
import type { AnswerSheet } from "./run-answers.ts";
import { openWorld } from "./opened.ts";
import type { TaskWorld } from "./worlds.ts";

/** What review does to the reads of a world: those without effects, each planned and run as it stands. */
interface HeldReads {
  readonly reads: number;
  /** would be held back if no read ran unreviewed: a reason above info */
  readonly mayBeLarge: number;
  /** are held back */
  readonly held: number;
  /** ran at once, and were cut by the budget of unreviewed reads */
  readonly cut: number;
  /** requests of those that may be large, in order, run to their end */
  readonly requests: readonly number[];
}

interface DryRun {
  readonly dry_verdict?: string;
  readonly dry_review?: { readonly reasons: readonly Reason[] };
  readonly plan?: unknown;
}

/** Counts what review does to the programs that a world's tasks are answered by. */
export async function heldReads(world: TaskWorld, answers: AnswerSheet): Promise<HeldReads> {
  const opened = await openWorld(world, "names");
  const { session, server } = opened;
  const requests: number[] = [];
  let [reads, mayBeLarge, held, cut] = [0, 0, 0, 0];
  try {
    for (const { id } of world.tasks) {
      const program = [answers[id] ?? []].flat()[0];
      if (program === undefined) continue;
      server.reset();
      const planned = await session.plan(program).catch(() => null);
      if (planned === null) continue;
      const { dry_verdict: verdict, dry_review: review } = planned.meta as DryRun;
      const reasons = review?.reasons ?? [];
      if (reasons.some(({ code }) => code === "effect")) continue;
      reads += 1;
      if (verdict === "review") held += 1;
      if (reasons.every(({ severity }) => severity === "info")) continue;
      mayBeLarge += 1;
      const all = await session.run(program, { force: true, wait: true });
      const { budget } = all.meta as { readonly budget?: { readonly requests: number } };
      requests.push(budget?.requests ?? 0);
      if (verdict === "review") continue;
      const { meta } = await session.run(program);
      if ("stopped_at" in meta) cut += 1;
    }
  } finally {
    await opened.close();
  }
  return { reads, mayBeLarge, held, cut, requests: requests.toSorted((a, b) => a - b) };
}
