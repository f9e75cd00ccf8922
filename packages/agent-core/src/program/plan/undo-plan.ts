import {
  type Capability,
  type Catalog,
  compileProgram,
  type Entity,
  type InputType,
  type Json,
  type JsonObject,
  type Plan,
  type Undoes,
} from "@plasm/core";
import { clip, quoteText, slotsOf } from "@plasm/core/internal";
import { comparedDigest } from "@plasm/runtime/internal";
import { idOf, targetOf } from "../../answer/effect-runs.ts";
import { named } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import type { EffectRecord, OperationRecord } from "../../records/operations.ts";
import { accountsAmong, areSameAccounts } from "../../session/accounts.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import { type SessionView, untaughtIn } from "../../session/session-view.ts";
import type { StoreOps } from "../../store-port.ts";
import { effectsOf } from "../effects/effect-log.ts";
import { commitId } from "./commits.ts";

/** `undo(pc0, 3, 2)`: a plan by its ref, and the effects of it that are meant; all, where there are no numbers. */
export interface UndoProgram {
  readonly kind: "undo";
  readonly handle: string;
  readonly effects: readonly number[];
}

/** What takes back what a plan has done, and what of that cannot be taken back, in words. */
export interface UndoPlan {
  readonly kind: "plan";
  readonly plan: Plan;
  readonly left: readonly string[];
}

const REF = /^pc(?:0|[1-9][0-9]{0,8})$/u;

/** Refs of others, and what never was one, are answered alike (UNDO-08). */
const unknownPlan = (handle: string) =>
  fail("plasm-unknown-handle", `No plan ${named(handle)} in this session.`);

/** The run of a ref, which has to have ended. Throws plasm-unknown-handle, plasm-bad-request or plasm-busy. */
async function endedRun(
  store: StoreOps,
  scope: string,
  at: ResolvedSession,
  handle: string,
): Promise<Pick<OperationRecord, "accounts" | "digests">> {
  const id = commitId(at.owner, handle);
  const minted = REF.test(handle) ? await store.peek("commit", scope, id) : null;
  if (minted === null || minted.value.principal !== at.principal) throw unknownPlan(handle);
  const { id: of } = await effectsOf(store, scope, at.owner, handle);
  const run = (await store.peek("operation", scope, of))?.value;
  if (run === undefined || run.principal !== at.principal) {
    throw fail("plasm-bad-request", `${handle} has changed nothing: there is nothing to undo.`);
  }
  if (run.endedAt === null) {
    throw fail(
      "plasm-busy",
      `${handle} has not ended. What it has done can be undone when it has.`,
    );
  }
  return run;
}

/** An effect that is taken back, as a statement; or why it is not. */
type Judged = { readonly statement: string; readonly undoes: Undoes } | { readonly why: string };

interface Judging {
  readonly view: SessionView;
  readonly ref: string;
  /** the plan that takes it back already, if this is about that one */
  readonly by: string | null;
  /** row → what effects that are taken back changed unasked */
  readonly loose: ReadonlyMap<string, ReadonlySet<string>>;
}

const rowOf = ({ entryId, entity, kept }: EffectRecord): string =>
  JSON.stringify([entryId, entity, kept?.key]);

/** Why an effect is not taken back whatever the row is like; null where it is not for that. */
function keptFrom({ status, kept, undone }: EffectRecord, by: string | null): string | null {
  if (status === "started" || status === "in_doubt") return "in doubt: look whether it happened";
  if (status !== "done") return "it was not done";
  if (undone !== undefined && undone.ref !== by) {
    return undone.status === "done"
      ? `undone by ${undone.ref}`
      : `whether ${undone.ref} has undone it is in doubt`;
  }
  return kept === undefined || kept === null ? "nothing that undoes it was kept" : null;
}

function judge(judging: Judging, effect: EffectRecord): Judged {
  const { view, by } = judging;
  const kept = keptFrom(effect, by);
  const catalog = view.exposure.catalogs.get(effect.entryId);
  const capability = catalog?.cgs.capabilities.get(effect.capability);
  const entity = catalog?.cgs.entities.get(effect.entity);
  if (catalog === undefined || capability === undefined || entity === undefined) {
    return { why: `${effect.entryId}.${effect.entity} is not in this session` };
  }
  if (capability.undo === undefined) return { why: "its catalog does not say how" };
  if (capability.undo.kind === "none") return { why: "nothing undoes it" };
  if (kept !== null) return { why: kept };
  return stated(judging, effect, { catalog, capability, entity });
}

interface Called {
  readonly catalog: Catalog;
  readonly capability: Capability;
  readonly entity: Entity;
}

function stated(
  { view, ref, loose }: Judging,
  effect: EffectRecord,
  { catalog, capability, entity }: Called,
): Judged {
  const { kept, entryId, seq } = effect;
  const { undo } = capability;
  if (undo === undefined || undo.kind === "none" || !kept) return { why: "nothing undoes it" };
  const { key, before, left } = kept;
  if (key === null) return { why: "its answer did not say which row it made" };
  const by = undo.kind === "call" ? catalog.cgs.capabilities.get(undo.capability) : capability;
  const symbol = view.exposure.symbols.entities.findIndex(
    (one) => one.entryId === entryId && one.entity === entity.name,
  );
  if (by === undefined || symbol < 0) {
    return { why: `${entryId}.${entity.name} is not in this session` };
  }
  if (capability.kind !== "delete" && left === null) return { why: "what it left is not known" };
  const made = by.kind === "create";
  const names = namesFor(undo, by, kept.sent);
  const row: JsonObject = { ...before, ...key };
  const unread = names.needed.find((name) => row[undo.args.get(name) ?? name] === undefined);
  if (unread !== undefined) return { why: `${unread} was not read before it` };
  const inputs = new Map(slotsOf(by).map(({ name, input }) => [name, input]));
  const args = [...names.needed, ...names.given].flatMap((name) => {
    const value = row[undo.args.get(name) ?? name];
    if (value === undefined || (value === null && !names.needed.includes(name))) return [];
    return [`${name}=${literal(value, inputs.get(name))}`];
  });
  const keys = Object.entries(key).map(([part, value]) => {
    const type = entity.fields.get(part)?.type;
    return `${part}=${literal(value, type === undefined ? undefined : { kind: "value", type })}`;
  });
  const target = made ? "" : `(${keys.join(", ")})`;
  const ignored = loose.get(rowOf(effect)) ?? new Set<string>();
  const compared = Object.entries(left ?? {}).filter(([name]) => !ignored.has(name));
  return {
    statement: `e${symbol + 1}${target}.${by.label}(${args.join(", ")})`,
    undoes: {
      ref,
      seq,
      key: key as Undoes["key"],
      left: capability.kind === "delete" ? null : Object.fromEntries(compared),
      ...(undo.kind === "restore" && before !== null
        ? { before: digests(undo, kept.sent, before) }
        : {}),
      ...(before === null
        ? {}
        : { given: compared.map(([name]) => name).filter((name) => Object.hasOwn(before, name)) }),
    },
  };
}

/** What stood in each field that a restore sets, as it is compared. */
const digests = (
  { args }: Extract<NonNullable<Capability["undo"]>, { readonly kind: "restore" }>,
  sent: readonly string[],
  before: JsonObject,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    sent.flatMap((name) => {
      const field = args.get(name) ?? name;
      const value = before[field];
      return value === undefined ? [] : [[field, comparedDigest(value)]];
    }),
  );

/** The arguments that must be filled, and those that are where there is something for them. */
function namesFor(
  undo: Exclude<NonNullable<Capability["undo"]>, { readonly kind: "none" }>,
  by: Capability,
  sent: readonly string[],
): { readonly needed: readonly string[]; readonly given: readonly string[] } {
  if (undo.kind === "restore") return { needed: sent, given: [] };
  const slots = slotsOf(by);
  if (by.kind !== "create") {
    const needed = slots.filter(({ name, required }) => required || undo.args.has(name));
    return { needed: needed.map(({ name }) => name), given: [] };
  }
  const needed = slots.filter(({ required }) => required).map(({ name }) => name);
  const given = slots.map(({ name }) => name).filter((name) => !needed.includes(name));
  return { needed, given };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/u;

/** A value as the language writes it, by what its slot takes; text is always in quotes. */
function literal(value: Json, input: InputType | undefined): string {
  if (value === null || typeof value === "boolean" || typeof value === "number") {
    return String(value);
  }
  const type = input?.kind === "value" ? input.type : null;
  if (typeof value === "string") {
    const isNumber = (type?.kind === "number" || type?.kind === "integer") && NUMBER.test(value);
    return isNumber || (type?.kind === "date" && DATE.test(value)) ? value : quoteText(value);
  }
  if (Array.isArray(value)) {
    const element: InputType | undefined =
      input?.kind === "array"
        ? input.element
        : type?.kind === "array"
          ? { kind: "value", type: type.items }
          : undefined;
    return `[${(value as readonly Json[]).map((one) => literal(one, element)).join(", ")}]`;
  }
  const members = Object.entries(value as JsonObject);
  if (type?.kind === "entity_ref") {
    return `${type.target}(${members.map(([part, one]) => `${part}=${literal(one, undefined)}`).join(", ")})`;
  }
  return `{${members.map(([name, one]) => `${quoteText(name)}: ${literal(one, undefined)}`).join(", ")}}`;
}

type Statement = Extract<Judged, { readonly statement: string }>;

function compiled(view: SessionView, statements: readonly Statement[]) {
  const text = statements.map(({ statement }) => statement).join("\n");
  const undoes = statements.map((one) => one.undoes);
  return compileProgram(text, view.exposure, { untaught: untaughtIn(view), undoes });
}

/** Why a statement cannot be planned in the session of now; null where it can. */
function unplanned(view: SessionView, statement: Statement): string | null {
  const alone = compiled(view, [statement]);
  return alone.kind === "errors" ? (alone.errors[0]?.message ?? "it cannot be planned") : null;
}

/** Effects that an answer names one by one. */
const SHOWN = 20;

function leftLines(
  all: readonly { readonly effect: EffectRecord; readonly why: string }[],
): readonly string[] {
  const lines = all.slice(0, SHOWN).map(({ effect, why }) => {
    const target = targetOf(effect);
    const id = target === null ? "" : ` ${idOf(target)}`;
    return `not undone ${effect.seq} ${effect.label} ${effect.entryId}.${effect.entity}${id}: ${clip(why, 200)}`;
  });
  return all.length <= SHOWN ? lines : [...lines, `not undone ${all.length - SHOWN} more`];
}

/** The plan under the program that a reader sees: `undo(pc0, 3, 2)`, of which each step is a part. */
function underOwnProgram(plan: Plan, ref: string, done: readonly Statement[]): Plan {
  const source = `undo(${[ref, ...done.map(({ undoes }) => undoes.seq)].join(", ")})`;
  const span = { start: 0, end: source.length, line: 1, column: 1 };
  const nodes = Object.entries(plan.summary.nodes).map(([id, node]) => [id, { ...node, span }]);
  const summary = { ...plan.summary, nodes: Object.fromEntries(nodes) as Plan["summary"]["nodes"] };
  return { ...plan, source, summary };
}

/**
 * Plans to take back what a plan has done, the last effect first (UNDO-05): a plan like any other, each step of which is
 * refused where its row is not as the effect left it. `by` is the ref of the plan that this is, where it is known. Throws
 * Failure where nothing can be taken back.
 */
export async function planUndo(
  store: StoreOps,
  scope: string,
  at: ResolvedSession,
  { handle, effects: asked }: UndoProgram,
  by: string | null,
): Promise<UndoPlan> {
  const { view } = at;
  const run = await endedRun(store, scope, at, handle);
  const { id } = await effectsOf(store, scope, at.owner, handle);
  const records = (await store.list("effect", scope, `${id}/`)).map(({ value }) => value);
  const all = records.toSorted((a, b) => b.seq - a.seq);
  const unknown = asked.find((seq) => !all.some((effect) => effect.seq === seq));
  if (unknown !== undefined) {
    const known = all.length === 0 ? "none" : `1 to ${all[0]?.seq}`;
    throw fail("plasm-bad-request", `${handle} has no effect ${unknown}. It has ${known}.`);
  }
  const meant = asked.length === 0 ? all : all.filter(({ seq }) => asked.includes(seq));
  if (!areSameAccounts(run.accounts, accountsAmong(at.accounts, Object.keys(run.digests)))) {
    throw fail("plasm-bad-request", `${handle} ran for another account than this session has now.`);
  }
  const loose = new Map<string, Set<string>>();
  // What was taken back before has changed them, too.
  const taken = all.filter((one) => one.undone?.status === "done");
  for (const effect of [...taken, ...meant.filter((one) => keptFrom(one, by) === null)]) {
    const known = loose.get(rowOf(effect)) ?? new Set();
    loose.set(rowOf(effect), known);
    for (const name of effect.kept?.loose ?? []) known.add(name);
  }
  const judging: Judging = { view, ref: handle, by, loose };
  const judged = meant.map((effect) => ({ effect, ...judge(judging, effect) }));
  let done = judged.filter((one) => "statement" in one);
  const left = judged.filter((one) => "why" in one);
  let whole = compiled(view, done);
  if (whole.kind === "errors") {
    const refused = done.map((one) => ({ ...one, why: unplanned(view, one) }));
    left.push(...refused.flatMap(({ effect, why }) => (why === null ? [] : [{ effect, why }])));
    done = done.filter((_, index) => refused[index]?.why === null);
    whole = compiled(view, done);
  }
  const lines = leftLines(left.toSorted((a, b) => b.effect.seq - a.effect.seq));
  if (done.length === 0 || whole.kind !== "plan") {
    const why = whole.kind === "errors" && done.length > 0 ? [whole.errors[0]?.message ?? ""] : [];
    throw fail(
      "plasm-bad-request",
      [`Nothing of ${handle} can be undone.`, ...why, ...lines].join("\n"),
    );
  }
  return { kind: "plan", plan: underOwnProgram(whole.plan, handle, done), left: lines };
}
