import type { Approval } from "../records.ts";

/** A value of an API or a program as it is shown: as JSON, since "1" and 1 are not the same. */
export const shownValue = (value: unknown): string =>
  value === undefined ? "not known" : JSON.stringify(value);

type Readable = Pick<Approval, "commit" | "explained">;

/** What each field that is changed had before, by target and field. */
function valuesOf({ explained }: Readable): ReadonlyMap<string, string> {
  const effects = explained?.effects ?? [];
  return new Map(
    effects.flatMap(({ node, row, target, changes }) =>
      changes.map(({ field, before, after }) => [
        `${field} of ${target ?? `${node}[${row ?? 0}]`}`,
        `${shownValue(before)} → ${shownValue(after)}`,
      ]),
    ),
  );
}

/**
 * What of a plan is other than when it was read, in sentences; empty where nothing is. Whoever reads decides on what
 * they read alone.
 */
export function changedSince(read: Readable, plan: Readable): readonly string[] {
  if (read.commit !== plan.commit) {
    return ["This is another plan than the one you read. Load this page again to read it."];
  }
  if (read.explained?.at === plan.explained?.at) return [];
  if (read.explained === null) return ["Its caller had it explained since you opened this page."];
  const [before, now] = [valuesOf(read), valuesOf(plan)];
  const changed = [...now].flatMap(([name, value]) => {
    const earlier = before.get(name);
    if (earlier === value) return [];
    return [
      earlier === undefined
        ? `New: ${name}: ${value}.`
        : `${name} was ${earlier} and is ${value} now.`,
    ];
  });
  const gone = [...before.keys()].filter((name) => !now.has(name));
  const all = [...changed, ...gone.map((name) => `No longer changed: ${name}.`)];
  return all.length > 0
    ? all
    : ["It was explained again since you opened this page: with the same values."];
}

/** A value that a plan shows in part says how long the whole is, wherever in it that stands. */
export const isCut = (shown: string | null): boolean =>
  shown !== null && /… \(\d+ characters\)/.test(shown);

/** A plan that can run no more, because its time is over. What has run or was rejected stays as it is. */
export const hasExpired = (
  { expires_at: at, state }: Pick<Approval, "expires_at" | "state">,
  now: number,
): boolean => state !== "consumed" && state !== "rejected" && Date.parse(at) <= now;

/** Why a plan cannot be decided; null if it can. */
export function whyNot(
  plan: Pick<Approval, "expires_at" | "state" | "decided_by">,
  now: number,
): string | null {
  const by = plan.decided_by ?? "Somebody";
  switch (plan.state) {
    case "consumed":
      return "It has run. Nothing is left to decide.";
    case "rejected":
      return `${by} rejected it, and that is final. Another plan can be asked for.`;
    case "approved":
      return hasExpired(plan, now)
        ? `${by} approved it, but it has expired before it was run. Its caller may plan it again.`
        : `${by} approved it. Until it has run it can still be rejected.`;
    case "live":
    case "waiting":
      return hasExpired(plan, now)
        ? "It waited too long and has expired. It was not run: its caller may plan it again."
        : null;
  }
}

/** Whether a plan that nobody needs to approve any more can still be stopped. */
export const canStillReject = (
  plan: Pick<Approval, "expires_at" | "state">,
  now: number,
): boolean => plan.state === "approved" && !hasExpired(plan, now);
