import { capabilitySlots } from "../mapping/capability-slots.ts";
import { callResult } from "../mapping/capability-views.ts";
import { isOpenList, isPlainLabel } from "../mapping/open-lists.ts";
import type { Capability } from "../model/model.ts";
import { hasUnion } from "../model/slots-of.ts";
import { callCodes, type Code, columnCell, fieldUses, keyedCode, withStep } from "./call-cells.ts";
import { noteText, saysMoreThanNames, TEXT_LIMITS } from "./clean-text.ts";
import type { EntityFacts } from "./entity-facts.ts";
import { needsOf } from "./effect-needs.ts";
import { listCodes } from "./place.ts";
import type { ExecutableRow, NoReadsRow, RowKind, RowResult } from "./row.ts";
import type { Scene } from "./notation.ts";

/** The rows of an entity's own capabilities, reads before and effects after its relations (TEACH-14). */
export interface OwnRows {
  readonly head: readonly ExecutableRow[] | NoReadsRow;
  readonly reads: readonly ExecutableRow[];
  readonly effects: readonly ExecutableRow[];
}

/** Rows 2 to 5, 7 and 8 of TEACH-14. */
export function ownRows(scene: Scene, facts: EntityFacts): OwnRows {
  const { head, creates, methods } = facts;
  return {
    head: head === null ? noReads(scene, facts) : headRows(scene, facts, head),
    reads: [...getRows(scene, facts), ...listRows(scene, facts)],
    effects: [
      ...creates.flatMap((capability) => effectRows(scene, facts, capability, "create")),
      ...methods.flatMap((capability) => effectRows(scene, facts, capability, "method")),
    ],
  };
}

/** The name of an entity in its head, with its catalog once the session holds two (TEACH-22). */
function headName(scene: Scene, { key }: EntityFacts): string {
  return scene.federated ? `${key.entryId}.${key.entity}` : key.entity;
}

function headNote({ entity }: EntityFacts): string {
  return noteText(entity.description, entity.name, TEXT_LIMITS.entity);
}

/** Which list heads, where the entity has others that need nothing and its label tells it from them. */
function whichList({ catalog, all, defaults }: EntityFacts, head: Capability): string {
  const open = all.filter((list) => list.kind === head.kind && isOpenList(catalog, list));
  const isTold = open.length > 1 && defaults.includes(head) && !isPlainLabel(head);
  return isTold ? `reads ${head.label}` : "";
}

function noReads(scene: Scene, facts: EntityFacts): NoReadsRow {
  const { key } = facts;
  return { kind: "no_reads", entity: key, name: headName(scene, facts), note: headNote(facts) };
}

/** The broadest read, projected to every field some read fills (TEACH-15). */
function headRows(scene: Scene, facts: EntityFacts, head: Capability): readonly ExecutableRow[] {
  const columns = facts.entity.domainProjectionExamples ? facts.columns : [];
  const uses = fieldUses(facts, columns);
  const note = [whichList(facts, head), headNote(facts), readNote(facts, head)]
    .filter((each) => each !== "")
    .join(" · ");
  const codes = withOptionsOnce(facts, head, readCodes(scene, facts, head));
  return codes.map((code, at) =>
    row(facts, head, "head", {
      code: {
        ...withStep(code, columnCell(scene, columns)),
        opt: code.opt,
        rules: code.rules,
        uses: [...uses, ...code.uses],
      },
      name: headName(scene, facts),
      note: at === 0 ? note : "",
    }),
  );
}

/** What a read without a name of its own in its row says of itself beyond the names and the note of its entity. */
function readNote({ entity }: EntityFacts, { description, label }: Capability): string {
  const said = [entity.name, label, entity.description];
  if (!saysMoreThanNames(description, said)) return "";
  return noteText(description, label, TEXT_LIMITS.capability);
}

function readCodes(scene: Scene, facts: EntityFacts, read: Capability): readonly Code[] {
  if (read.kind !== "get") return listCodes(scene, facts, read);
  return facts.byKey.includes(read) ? [keyedCode(scene, facts)] : callCodes(scene, facts, read);
}

/** `e1($)`, then the gets that this is not, by label; one with options is also called by label. */
function getRows(scene: Scene, facts: EntityFacts): readonly ExecutableRow[] {
  const { keyed, gets, head } = facts;
  const byKey =
    keyed === null || keyed === head
      ? []
      : [
          row(facts, keyed, "get", {
            code: keyedCode(scene, facts),
            name: "",
            note: readNote(facts, keyed),
          }),
        ];
  const byLabel = gets.flatMap((get) => {
    const rows = labelled(scene, facts, get, "call");
    if (get !== keyed && get !== head) return rows;
    return facts.byKey.includes(get) && (rows[0]?.opt.length ?? 0) > 0 ? rows : [];
  });
  return [...byKey, ...byLabel];
}

function listRows(scene: Scene, facts: EntityFacts): readonly ExecutableRow[] {
  const rows = (list: Capability, kind: RowKind): readonly ExecutableRow[] =>
    list === facts.head ? [] : labelledRows(facts, list, kind, listCodes(scene, facts, list));
  const byLabel = (lists: readonly Capability[]): readonly Capability[] =>
    facts.all.filter((capability) => lists.includes(capability));
  return [
    ...byLabel(facts.queries).flatMap((list) => rows(list, "query")),
    ...byLabel(facts.searches).flatMap((list) => rows(list, "search")),
  ];
}

function labelled(
  scene: Scene,
  facts: EntityFacts,
  capability: Capability,
  kind: RowKind,
): readonly ExecutableRow[] {
  return labelledRows(facts, capability, kind, callCodes(scene, facts, capability));
}

/** The ways to call a capability, one a row: the first says what it does, for all of them. */
function labelledRows(
  facts: EntityFacts,
  capability: Capability,
  kind: RowKind,
  codes: readonly Code[],
): readonly ExecutableRow[] {
  const { label, description } = capability;
  const note = noteText(description, label, TEXT_LIMITS.capability);
  return withOptionsOnce(facts, capability, codes).map((code, at) =>
    row(facts, capability, kind, { code, name: label, note: at === 0 ? note : "" }),
  );
}

/**
 * The ways to call a capability, each option in the first that takes it; variants of a union take different ones
 * and have all of theirs (TEACH-18).
 */
function withOptionsOnce(
  { catalog }: EntityFacts,
  capability: Capability,
  codes: readonly Code[],
): readonly Code[] {
  const { slots, union } = capabilitySlots(catalog, capability);
  if (union !== null || slots.some(({ input }) => hasUnion(input))) return codes;
  const said = new Set<string>();
  return codes.map((code) => {
    const opt = code.opt.filter((path) => !said.has(path));
    for (const path of opt) said.add(path);
    return { ...code, opt };
  });
}

/** Rows of an effect, the first with what must hold before it and the names that says it with. */
function effectRows(
  scene: Scene,
  facts: EntityFacts,
  capability: Capability,
  kind: "create" | "method",
): readonly ExecutableRow[] {
  const [first, ...others] = labelled(scene, facts, capability, kind);
  if (first === undefined) return [];
  const { text, uses } = needsOf(scene, facts, capability);
  return [{ ...first, needs: text, uses: [...first.uses, ...uses] }, ...others];
}

function row(
  facts: EntityFacts,
  capability: Capability,
  kind: RowKind,
  said: { readonly code: Code; readonly name: string; readonly note: string },
): ExecutableRow {
  const { code, name, note } = said;
  const result = rowResult(facts, capability);
  const { left, whole, opt, uses } = code;
  return {
    kind,
    entity: facts.key,
    capability: capability.name,
    relation: null,
    left,
    whole,
    result,
    name,
    opt,
    here: [],
    rules: code.rules,
    needs: "",
    note,
    uses,
  };
}

function rowResult({ catalog, key }: EntityFacts, capability: Capability): RowResult {
  const result = callResult(catalog, capability);
  if (result.kind !== "rows") return result;
  return { ...result, entity: { entryId: key.entryId, entity: result.entity } };
}
