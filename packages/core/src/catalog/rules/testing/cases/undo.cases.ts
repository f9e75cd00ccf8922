import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const AT = "capabilities.parcel_x.undo";

const REQUEST =
  "{method: POST, path: [{type: literal, value: parcels}], body: {type: var, name: input}}";
const ON_ROW =
  "{method: POST, path: [{type: literal, value: parcels}, {type: var, name: id}], body: {type: var, name: input}}";

/** An effect on parcels, beside some that may take it back. */
const effect = (kind: string, undo: string, more = "provides: [id, stage]"): CatalogPatch => ({
  capabilities: `parcel_x: {kind: ${kind}, entity: Parcel, parameters: [{name: stage, value_ref: stage}], ${more}, ${undo}}
parcel_make: {kind: create, entity: Parcel, parameters: [{name: stage, value_ref: stage}], provides: [id]}
parcel_shift: {kind: update, entity: Parcel, parameters: [{name: stage, value_ref: stage}]}
parcel_lose: {kind: delete, entity: Parcel}
parcel_move: {kind: action, entity: Parcel, parameters: [{name: dock, value_ref: text, required: true}], provides: [id]}
note_drop: {kind: delete, entity: Note}
note_x: {kind: update, entity: Note, parameters: [{name: text, value_ref: text}], undo: none}`,
  mappings: `parcel_x: ${kind === "create" ? REQUEST : ON_ROW}
parcel_make: ${REQUEST}
parcel_shift: ${ON_ROW}
parcel_lose: ${ON_ROW}
parcel_move: ${ON_ROW}
note_drop: ${ON_ROW}
note_x: ${ON_ROW}`,
  entities: "Note: {fields: {id: {value_ref: text}, text: {value_ref: text}}}",
});

/** Faults of CAT-148. */
export const undoCases: readonly BrokenCase[] = [
  {
    rule: "CAT-148",
    when: "a read that is taken back",
    patch: {
      capabilities: "parcel_x: {kind: singleton, entity: Parcel, «undo»: none}",
      mappings: "parcel_x: {method: GET, path: [{type: literal, value: parcels}]}",
    },
    at: AT,
    says: ["get", "create, update, delete and action"],
  },
  {
    rule: "CAT-148",
    when: "values from before on a create",
    patch: effect("create", "undo: «restore»"),
    at: AT,
    says: ["a create", "update", "none"],
  },
  {
    rule: "CAT-148",
    when: "a capability that is not there",
    patch: effect("create", "undo: «parcel_loose»"),
    at: AT,
    says: ["parcel_loose", "parcel_lose", "parcel_x"],
  },
  {
    rule: "CAT-148",
    when: "a capability of another entity",
    patch: effect("create", "undo: {by: «note_drop»}"),
    at: `${AT}.by`,
    says: ["note_drop", "Parcel"],
  },
  {
    rule: "CAT-148",
    when: "a create that does not say which row it made",
    patch: effect("create", "«undo»: parcel_lose", "provides: [stage]"),
    at: AT,
    says: ["parcel_x", "id", "provides"],
  },
  {
    rule: "CAT-148",
    when: "a delete that is taken back by a create without the key",
    patch: effect("delete", "undo: «parcel_make»"),
    at: AT,
    says: ["parcel_make", "id", "Parcel"],
  },
  {
    rule: "CAT-148",
    when: "a parameter that no field fills",
    patch: effect("update", "undo: «parcel_move»"),
    at: AT,
    says: ["parcel_move", "dock", "args"],
  },
  {
    rule: "CAT-148",
    when: "an argument that is no parameter",
    patch: effect("update", "undo: {by: restore, args: {«state»: stage}}"),
    at: `${AT}.args.state`,
    says: ["state", "stage", "parcel_x"],
  },
  {
    rule: "CAT-148",
    when: "an argument from what is no field",
    patch: effect("update", "undo: {by: restore, args: {stage: «stages»}}"),
    at: `${AT}.args.stage`,
    says: ["stages", "stage"],
  },
  {
    rule: "CAT-148",
    when: "an update none of whose parameters is a field",
    patch: {
      capabilities:
        "parcel_x: {kind: update, entity: Parcel, parameters: [{name: dock, value_ref: text}], «undo»: restore}",
      mappings: `parcel_x: ${ON_ROW}`,
    },
    at: AT,
    says: ["parcel_x", "Parcel"],
  },
  {
    rule: "CAT-148",
    when: "an action that says nothing of its row",
    patch: effect(
      "action",
      "«undo»: parcel_shift",
      "output: {type: side_effect, description: moves it}",
    ),
    at: AT,
    says: ["parcel_x", "provides"],
  },
  {
    rule: "CAT-148",
    when: "an entity whose rows nobody can read",
    patch: {
      entities: "Note: {fields: {id: {value_ref: text}, text: {value_ref: text}}}",
      capabilities:
        "note_x: {kind: update, entity: Note, parameters: [{name: text, value_ref: text}], «undo»: restore}",
      mappings: `note_x: ${ON_ROW}`,
    },
    at: "capabilities.note_x.undo",
    says: ["Note", "get", "note_x"],
  },
];
