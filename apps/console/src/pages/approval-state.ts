import type { Approval } from "../records.ts";

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
