import { isObjectType } from "graphql";
import { type CapabilityDraft, capabilityName } from "../catalog/capability-draft.ts";
import type { EntityDraft } from "../catalog/entity-draft.ts";
import type { RelationDraft } from "../catalog/relations.ts";
import { clauseBeside } from "../names/clause.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { singular } from "../names/singular.ts";
import { folded, wordsOf } from "../names/words.ts";
import type { Getter, Lead, TypeEntity } from "./graphql-entities.ts";
import { askList, changesText, keyVariable, ofKey } from "./graphql-reads.ts";
import {
  bodyOf,
  draftOf,
  type GraphqlScene,
  keysTo,
  readWords,
  saidOf,
  takeSceneLabel,
} from "./graphql-scene.ts";

/** Lists that lead from a row of one entity to those of another. */
interface FoundRelations {
  readonly relations: ReadonlyMap<EntityDraft, readonly RelationDraft[]>;
  readonly lists: readonly CapabilityDraft[];
}

/** Whether a query of its own finds rows of an entity. */
const isDirect = ({ getter }: TypeEntity): boolean => getter !== null && getter.argument !== null;

/** Lists of one entity behind rows of others; each is a row of its table. */
const MOST_BEHIND = 24;

/** The argument of a root list that takes a row's key, where that list is what a field leads to. */
function scopedBy(
  reads: readonly CapabilityDraft[],
  from: TypeEntity,
  { field, target }: Lead,
): { readonly capability: CapabilityDraft; readonly param: string } | null {
  const plural = singular(folded(field.name)) === singular(target.draft.snake.replaceAll("_", ""));
  if (!plural) return null;
  for (const capability of reads) {
    if (capability.entity !== target.draft || capability.kind !== "query") continue;
    const scope = capability.slots.find(({ ref }) => ref === from.draft);
    const others = capability.slots.filter((slot) => slot !== scope && slot.required);
    if (scope !== undefined && others.length === 0) return { capability, param: scope.name };
  }
  return null;
}

/** A list that is a field of another entity's row, which its key finds. */
function listBehind(
  scene: GraphqlScene,
  from: TypeEntity,
  getter: Getter,
  { field, rows, target }: Lead,
): CapabilityDraft | string {
  const { draft } = target;
  const [key] = from.draft.key;
  if (key === undefined) return "it has no key";
  const at = keysTo(getter.field.name, field.name);
  const param = catalogName(from.draft.snake, "key");
  const asked = askList(scene, { field, rows, target }, at, [param]);
  if (typeof asked === "string") return asked;
  const { made } = asked;
  const top = field.args.some(({ name }) => name === "parent") ? "of" : "parent";
  const around = ofKey(getter, from, top, asked.text);
  const noun = from.draft.snake;
  const said = saidOf(field.name, draft);
  const label = takeSceneLabel(scene, draft, [
    ...(said === "" ? [] : [`${said}_of_${noun}`]),
    `of_${noun}`,
    `${wordsOf(field.name).join("_")}_of_${noun}`,
  ]);
  const description = readWords(scene, field, draft, label);
  if (description === null) return changesText(field);
  return draftOf(
    scene,
    bodyOf("query", [...around.declared, ...made.declared], around.text, [
      keyVariable(around, param),
      ...made.variables,
    ]),
    {
      ...asked.draft,
      label,
      description,
      slots: [
        {
          name: param,
          type: { kind: "value", value: scene.values.ofEntity(from.draft) },
          required: true,
          role: "scope",
          description: "",
          ref: from.draft,
        },
        ...made.slots,
      ],
    },
  );
}

/** Relations by which rows lead to lists: by a root list that takes their key, else by a list behind their own get. */
export function findTypeRelations(
  scene: GraphqlScene,
  reads: readonly CapabilityDraft[],
  isKept: (entity: TypeEntity) => boolean,
): FoundRelations {
  const relations = new Map<EntityDraft, RelationDraft[]>();
  const lists: CapabilityDraft[] = [];
  const behind = new Map<EntityDraft, number>();
  const byRank = scene.entities.all.toSorted((a, b) => Number(isDirect(b)) - Number(isDirect(a)));
  for (const from of byRank) {
    if (!isKept(from)) continue;
    const columns = scene.columns.get(from);
    const taken = new Set(
      (columns?.fields.fields ?? []).filter(({ ref }) => ref !== null).map(({ name }) => name),
    );
    for (const lead of (columns?.leads ?? []).filter(({ target }) => isKept(target))) {
      const { draft } = lead.target;
      const scoped = scopedBy(reads, from, lead);
      const where = `${from.type.name}.${lead.field.name}`;
      let found = scoped;
      if (found === null) {
        const count = behind.get(draft) ?? 0;
        if (from.getter === null) {
          const isRow = isObjectType(from.type) && from.draft.key.length > 0 && !from.isAlone;
          if (isRow)
            scene.say(`${where}: rows of ${from.draft.name} cannot be asked for by their key`);
          continue;
        }
        if (count >= MOST_BEHIND) {
          scene.say(`${where}: ${draft.name} has ${MOST_BEHIND} lists behind other rows already`);
          continue;
        }
        const made = listBehind(scene, from, from.getter, lead);
        if (typeof made === "string") {
          scene.say(`${where}: ${made}`);
          continue;
        }
        behind.set(draft, count + 1);
        lists.push(made);
        // What needs more than the row's key is asked for by its own name.
        if (made.slots.filter(({ required }) => required).length > 1) continue;
        found = { capability: made, param: made.slots[0]?.name ?? "" };
      }
      const all = relations.get(from.draft) ?? [];
      relations.set(from.draft, all);
      const name = reserveName(taken, catalogName(lead.field.name, "rows"));
      all.push({
        name,
        target: draft,
        cardinality: "many",
        materialize: {
          kind: "query_scoped",
          capability: capabilityName(found.capability),
          param: found.param,
        },
        description: clauseBeside(lead.field.description ?? undefined, name, from.draft.name),
      });
    }
  }
  return { relations, lists };
}
