import type { Exposure, Plan, PlanNode } from "@plasm/core";
import { capabilitiesOf } from "@plasm/core/internal";
import type { RunOutcome } from "@plasm/runtime";
import { countDrift } from "../../meter.ts";
import type { DriftRecord } from "../../records/drift.ts";
import type { Store } from "../../store-port.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import { DriftSigns } from "./drift-signs.ts";
import { isoSeconds } from "../../answer/times.ts";

type Answers = RunOutcome["answers"][number];
type Sign = Answers["signs"][number];

/** A sign that is counted, and holds nothing: APIs add words all the time. */
const WORD: Sign["code"] = "option_unknown";

/** What says that an API answers otherwise than its catalog has it, whoever asked for what. */
const SIGNS: ReadonlySet<string> = new Set<Sign["code"]>([
  "collection_missing",
  "derive_failed",
  "edge_missing",
  "field_missing",
  "identity_missing",
  "path_type",
  "row_unfit",
  "value_unconverted",
]);

/** Signs of each process that stand in its log once; what else there is, its figures count. */
const MOST_TOLD = 1_000;

/** What a node asks an API for; null for what computes, and where its rows are in hand. */
interface Asked {
  readonly catalog: string;
  readonly digest: string;
  readonly capability: string | null;
}

/** The same, of a capability for certain. */
interface Capable extends Asked {
  readonly capability: string;
}

function askedBy(node: PlanNode | undefined): Asked | null {
  if (node === undefined) return null;
  const body = node.kind === "for_each" ? node.body : node;
  if (!("catalog" in body)) return null;
  const { entry_id: catalog, digest } = body.catalog;
  return { catalog, digest, capability: body.capability };
}

/** A capability whose answers fitted its catalog, and do not any more. */
export interface Drifted {
  readonly catalog: string;
  readonly capability: string;
  /** entity, field and sign, without a value */
  readonly detail: string;
  /** in ms */
  readonly since: number;
}

/** The same in words, for whoever decides on a plan that rests on it. */
export const driftedLines = (drifted: readonly Drifted[]): readonly string[] =>
  drifted.map(
    ({ catalog, capability, detail, since }) =>
      `${catalog}.${capability} answers otherwise than before, since ${isoSeconds(since)}: ${detail}`,
  );

/** Capabilities of all tenants whose state a process knows without asking its store. */
const MOST_KNOWN = 10_000;

const idOf = (catalog: string, capability: string): string => `${catalog}/${capability}`;

/**
 * Whether answers fit: not where at least half of their rows have a sign, or a sign is all there is of them. Null where nothing
 * can be said: no rows and no sign, or a few odd rows among others.
 */
function judge(rows: number, signs: readonly Sign[]): "fits" | "drifted" | null {
  const odd = Math.max(0, ...signs.map(({ count }) => count));
  if (odd === 0) return rows > 0 ? "fits" : null;
  return odd * 2 >= rows ? "drifted" : null;
}

/** What a run found about the answers of each capability; a sign that no answer has is of what its node asks for, such as a relation's. */
function answersOf(
  plan: Plan,
  { answers, diagnostics, nodes }: Pick<RunOutcome, "answers" | "diagnostics" | "nodes">,
): readonly Answers[] {
  const asked = new Map(plan.nodes.map((node) => [node.id, askedBy(node)] as const));
  const key = ({ code, detail }: Pick<Sign, "code" | "detail">): string => `${code} ${detail}`;
  const others = diagnostics.filter(
    (one) =>
      !answers.some(
        ({ node, signs }) => node === one.node && signs.some((s) => key(s) === key(one)),
      ),
  );
  const ofNodes = nodes.flatMap(({ id, rows }) => {
    const signs = others.filter(({ node }) => node === id);
    const of = asked.get(id) ?? null;
    if (of === null || of.capability === null || signs.length === 0) return [];
    const { catalog: entryId, digest, capability } = of;
    const answered = answers.find((one) => one.node === id && one.capability === capability);
    return [
      {
        node: id,
        entryId,
        digest,
        capability,
        rows: answered?.rows ?? rows,
        signs: [...(answered?.signs ?? []), ...signs],
      },
    ];
  });
  const taken = new Set(ofNodes.map(({ node, capability }) => `${node} ${capability}`));
  return [
    ...answers.filter(({ node, capability }) => !taken.has(`${node} ${capability}`)),
    ...ofNodes,
  ];
}

/** The capabilities that a plan rests on: those that it calls, and those that rows are read or completed by ahead of effects. */
function restsOn(plan: Plan, { catalogs }: Pick<Exposure, "catalogs">): readonly Capable[] {
  const { nodes, summary } = plan;
  const called = nodes.flatMap((node) => {
    const of = askedBy(node);
    return of === null || of.capability === null ? [] : [{ ...of, capability: of.capability }];
  });
  const ahead = summary.effects.flatMap(({ node, reads = [] }) => {
    const of = askedBy(nodes.find(({ id }) => id === node));
    return of === null ? [] : reads.map((capability) => ({ ...of, capability }));
  });
  const isCompleted = Object.values(summary.bill.nodes).some(
    ({ hydration, parents }) => hydration !== undefined || parents !== undefined,
  );
  const completed = (isCompleted ? called : []).flatMap(({ catalog, digest, capability }) => {
    const { cgs } = catalogs.get(catalog) ?? {};
    const entity = cgs?.capabilities.get(capability)?.entity;
    if (cgs === undefined || entity === undefined) return [];
    const gets = capabilitiesOf(cgs, entity).filter(({ kind }) => kind === "get");
    return gets.map(({ name }) => ({ catalog, digest, capability: name }));
  });
  return [...called, ...ahead, ...completed];
}

/**
 * Tells operators, and nobody else, that an API answers otherwise than its catalog says: each sign is counted, and told in the log the first
 * time that this process sees it (OPS-66). Keeps by tenant which capabilities have answers that fitted once and do not any more: effects
 * that rest on them wait for a person (OPS-67).
 */
export class DriftWatch {
  readonly #store: Store;
  readonly #warn: (what: string, cause: unknown) => void;
  readonly #signs: DriftSigns;
  readonly #told = new Set<string>();
  /** digest and state as the store had them last: most answers change nothing, and are not asked about */
  readonly #known = new Map<string, string>();

  constructor(store: Store, warn: (what: string, cause: unknown) => void) {
    this.#store = store;
    this.#warn = warn;
    this.#signs = new DriftSigns(store);
  }

  /** Looks at how a run ended. Never fails it: what cannot be kept is told in the log. */
  async note(
    scope: string,
    plan: Plan,
    outcome: Pick<RunOutcome, "diagnostics" | "answers" | "nodes">,
  ): Promise<void> {
    for (const { entryId: catalog, digest, capability, rows, signs: all } of answersOf(
      plan,
      outcome,
    )) {
      for (const { code, count, detail } of all) {
        if (code !== WORD && !SIGNS.has(code)) continue;
        countDrift(catalog, code, count);
        this.#signs.add(tenantOfScope(scope), catalog, code, { count, detail });
        this.#tell(`${catalog} answers otherwise than its catalog says: ${detail} (${code})`);
      }
      const signs = all.filter(({ code }) => SIGNS.has(code));
      const state = judge(rows, signs);
      if (state === null) continue;
      const [first] = signs;
      const detail = first === undefined ? null : `${first.detail} (${first.code})`;
      try {
        await this.#keep(scope, { catalog, digest, capability }, state, detail);
      } catch (thrown) {
        this.#warn(`whether ${catalog}.${capability} fits its catalog was not kept`, thrown);
      }
    }
    try {
      await this.#signs.written();
    } catch (thrown) {
      this.#warn("how often APIs answered otherwise than their catalogs was not kept", thrown);
    }
  }

  /** What a plan rests on that has drifted: none where it changes nothing, or policy does not mind. */
  async under(
    scope: string,
    plan: Plan,
    exposure: Pick<Exposure, "policy" | "catalogs">,
  ): Promise<readonly Drifted[]> {
    const { approval } = exposure.policy;
    if (plan.summary.effects.length === 0 || approval?.drifted === false) return [];
    const found = new Map<string, Drifted>();
    for (const { catalog, capability, digest } of restsOn(plan, exposure)) {
      const id = idOf(catalog, capability);
      if (found.has(id)) continue;
      const record = (await this.#store.get("drift", scope, id))?.value;
      if (record === undefined || record.digest !== digest) continue;
      this.#remember(scope, id, record);
      const { state, detail, since } = record;
      if (state === "drifted") found.set(id, { catalog, capability, detail: detail ?? "", since });
    }
    return [...found.values()];
  }

  /** Keeps a state where it is another one than before. What never fitted has not drifted. */
  async #keep(
    scope: string,
    { catalog, capability, digest }: Capable,
    state: DriftRecord["state"],
    detail: string | null,
  ): Promise<void> {
    const id = idOf(catalog, capability);
    if (this.#known.get(`${scope} ${id}`) === `${digest} ${state}`) return;
    const known = await this.#store.get("drift", scope, id);
    // Not remembered: another process may find meanwhile that it fits.
    if (known?.value.digest !== digest && state === "drifted") return;
    await this.#store.transaction(async (tx) => {
      const before = await tx.get("drift", scope, id);
      if (before?.value.digest === digest && before.value.state === state) return;
      const record: DriftRecord = { digest, state, since: tx.now(), detail };
      if (before !== null) await tx.delete("drift", scope, id);
      await tx.insert("drift", scope, id, record);
    });
    this.#remember(scope, id, { digest, state });
  }

  #remember(
    scope: string,
    id: string,
    { digest, state }: Pick<DriftRecord, "digest" | "state">,
  ): void {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(`${scope} ${id}`, `${digest} ${state}`);
  }

  #tell(sign: string): void {
    if (this.#told.has(sign) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(sign);
    this.#warn(sign, null);
  }
}
