import { type Exposure, type Plan, renderReasons } from "@plasm/core";
import { type Approver, approverOf } from "@plasm/core/internal";
import { changedFiles } from "../plan/bound-files.ts";
import { judgedCommit, knownCommit, mintCommit, placeOf, standingOf } from "../plan/commits.ts";
import { fail } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import { insufficientScope } from "../../identity/token-claims.ts";
import type { CommitRecord } from "../../records/commits.ts";
import { accountLines, scopeLines } from "../../session/accounts.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import type { OperationDeps } from "../deps.ts";
import { driftedLines } from "../run/drift.ts";
import type { CheckedArguments } from "../run/run-request.ts";
import { askOperator, isRejected } from "./ask-operator.ts";
import { approvalRejected, approvalRequired, blockedFailure } from "./gate-failures.ts";
import { gate, type GateOutcome, type PolicyLevel } from "./gate.ts";
import { preApprovalOf, preApprovedText } from "./pre-approved.ts";

/** What the gate says of a plan that came to run. */
export type GateDecision =
  | {
      readonly kind: "run";
      readonly note: string | null;
      /** gives the ref that it runs under */
      readonly mint: () => Promise<CommitRecord>;
      /** whether any other ref would do, since `force` alone let it run */
      readonly fresh: boolean;
      /** whether what it costs was accepted */
      readonly reviewed: boolean;
      /** most effects of each node, where policy alone let it run (SAV-16) */
      readonly perNode?: number;
    }
  | { readonly kind: "repeat"; readonly ref: string };

/** A plan at the gate, with what came along: `planned` is the ref's record where it came without a program. */
interface GateInput extends CheckedArguments {
  readonly plan: Plan;
  readonly planned: CommitRecord | null;
  /** what an `undo` does not take back, in words */
  readonly left: readonly string[];
  /** nobody is there to review it: effects wait for a person, and the cost of reads was accepted with the schedule (SAV-20) */
  readonly scheduled: boolean;
}

/**
 * Judges a plan at the gate, with what stands of its ref and of its session. Throws where it does not run: blocked, waiting for
 * a person, rejected or without leave to force (PLAN-030, OPS-36).
 */
export async function passGate(
  deps: OperationDeps,
  caller: Caller,
  at: ResolvedSession,
  { plan, planned, ref, force, left, scheduled }: GateInput,
): Promise<GateDecision> {
  const place = placeOf(caller, at);
  const isNew = planned === null && ref === null;
  // Asked for with what else a run looks up before it begins, so that stores that wait for a server wait once.
  const looked = isNew ? standingOf(deps.store, place, plan) : undefined;
  looked?.catch(() => undefined);
  const known = planned ?? (ref === null ? null : await knownCommit(deps.store, caller, at, ref));
  const byClient = mayClientApprove(plan, at.view.exposure);
  const record = withRightApproval(judgedCommit(known, at, plan), byClient);
  const { policy } = at.view.exposure;
  const { commit, summary } = plan;
  const { verdict } = summary;
  const drifted = await deps.drift.under(place.scope, plan, at.view.exposure);
  const outcome: GateOutcome = gate({
    level: scheduled || drifted.length > 0 ? "operator" : levelOf(plan, at.view.exposure),
    hashRejected: verdict === "review" && (await isRejected(deps.store, place, commit)),
    forceAllowed: policy.force !== false,
    now: deps.store.now(),
    verdict,
    commit,
    ref,
    record,
    force,
  });
  // What has run already is told again to whoever may read it.
  if (outcome.kind !== "repeat") refuseEffects(caller, plan);
  const mint = () => mintCommit(deps.store, place, plan, looked);
  if (scheduled && plan.summary.effects.length === 0) {
    return { kind: "run", note: null, mint, fresh: true, reviewed: true };
  }
  const held = outcome.kind === "approval_required" || (outcome.kind === "blocked" && ref === null);
  const mayPass = held && ref === null && drifted.length === 0;
  const approval = mayPass ? await preApprovalOf(deps, caller, at, plan) : null;
  if (approval !== null) {
    const { perNode } = approval;
    const note = preApprovedText(approval);
    return { kind: "run", note, mint, fresh: true, reviewed: true, perNode };
  }
  switch (outcome.kind) {
    case "run": {
      const { by, stands, note, reviewed } = outcome;
      // The ref that was shown is the one consumed, though another may live for the same plan.
      const consumed = stands ? record : null;
      // What came alone is of this plan, though of a session that was opened anew.
      const told = planned === null ? note : null;
      const given = consumed === null ? mint : () => Promise.resolve(consumed);
      return { kind: "run", note: told, mint: given, fresh: by === "force", reviewed };
    }
    case "blocked": {
      const fresh = await mint();
      const lines = [
        ...(known === null ? [] : changedFiles(known, plan)),
        ...renderReasons(plan, fresh.ref),
        ...accountLines(fresh.accounts),
        ...scopeLines(deps, caller, at, plan.summary.effects),
        ...left,
      ];
      throw blockedFailure(plan, fresh, outcome.reason, ref, lines);
    }
    case "repeat":
      return { kind: "repeat", ref: ref ?? "" };
    case "approval_required": {
      const hours = policy.approval?.hours;
      const intent = at.logical?.value.intent ?? null;
      const { subject, actingFor = null, requestId } = caller;
      const { noticeTargets: targets } = deps;
      const asking = {
        place,
        plan,
        subject,
        actingFor,
        intent,
        requestId,
        hours,
        targets,
        byClient,
        drifted: driftedLines(drifted),
      };
      const minted = await askOperator(deps.store, asking);
      throw approvalRequired(plan, minted, asking);
    }
    case "rejected":
      throw approvalRejected();
    case "force_denied":
      throw fail("plasm-force-denied", "Policy forbids force. Plan and run with plan_commit_ref.");
  }
}

/** Nothing of it is sent, put before an operator, or given a ref, where a credential is for reading alone (SURF-23). */
function refuseEffects({ readsOnly }: Caller, { summary }: Plan): void {
  if (readsOnly === undefined || summary.effects.length === 0) return;
  const { lacks, stepUp } = readsOnly;
  const help =
    stepUp === null
      ? "Whoever makes keys can make one with it."
      : "A client that signs its user in can ask for it.";
  throw insufficientScope(
    `not run: nothing was sent\nThis changes something, and the credential of this call lacks the scope ${lacks}. ${help}`,
    stepUp,
  );
}

type PlannedEffect = Plan["summary"]["effects"][number];

type Judged = Pick<Exposure, "policy" | "catalogs">;

function approverOfEffect({ policy, catalogs }: Judged, effect: PlannedEffect): Approver | null {
  const capability = catalogs.get(effect.catalog)?.cgs.capabilities.get(effect.capability);
  if (capability === undefined) throw new Error("A plan has an effect of no capability");
  return approverOf(policy, effect.catalog, capability);
}

/** A ref as it stands by the policy as it is now: what the person at the client approved waits where an operator must (OPS-65). */
const withRightApproval = (record: CommitRecord | null, byClient: boolean): CommitRecord | null =>
  record?.state === "approved" && record.approvedBy === "client" && !byClient
    ? { ...record, state: "waiting" }
    : record;

/** Whether the person at the client may approve what has to be approved of a plan (OPS-65). */
const mayClientApprove = (plan: Plan, judged: Judged): boolean =>
  !plan.summary.effects.some((effect) => approverOfEffect(judged, effect) === "operator");

/** The effects of a plan that somebody must approve by the policy as it is now (OPS-36). */
const operatorsEffects = (plan: Plan, judged: Judged): readonly PlannedEffect[] =>
  plan.summary.effects.filter((effect) => approverOfEffect(judged, effect) !== null);

/** Who lets a plan run (PLAN-030). */
const levelOf = (plan: Plan, judged: Judged): PolicyLevel =>
  operatorsEffects(plan, judged).length > 0 ? "operator" : "agent";
