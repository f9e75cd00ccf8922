import type { Capability } from "../schema/capability.ts";
import { joinCells, type Cell } from "./cell.ts";
import { callCodes, entityCell, placed, type Code } from "./call-cells.ts";
import type { EntityFacts } from "./entity-facts.ts";
import { namesAnotherRow } from "../mapping/open-lists.ts";
import { isChosen, listSlots } from "./list-choice.ts";
import { ruleTexts } from "./rule-texts.ts";
import type { Scene } from "./scene.ts";
import { namedShapes } from "./value-shapes.ts";

/**
 * A query or search as code: `e1{p5=$}`, `e1~$`; by its label if the choice of RUN-110 would not take
 * it from the slots shown (TEACH-17).
 */
export function listCodes(scene: Scene, facts: EntityFacts, list: Capability): readonly Code[] {
  const rivals = facts.all.filter(({ kind }) => kind === list.kind);
  const { text, required, optional } = listSlots(facts.catalog, list);
  // Given the key, the entity's name reads the row of that key (LANG-027).
  const isGet =
    facts.byKey.length > 0 && required.some((slot) => namesAnotherRow(facts.catalog, list, slot));
  if (isGet || !isChosen(facts.catalog, list, rivals, facts.defaults)) {
    return callCodes(scene, facts, list);
  }
  const source: Cell =
    text === null
      ? entityCell(scene, facts.key)
      : [...entityCell(scene, facts.key), "~", { hole: "$", sample: '"x"' }];
  const shapes = namedShapes(scene, facts.key.entryId, [...required, ...optional], "=");
  return shapes.map((shape) => ({
    left: [...source, ...braces(shape.items)],
    whole: null,
    opt: shape.opt,
    rules: ruleTexts(scene.spell, list, shape.uses),
    uses: placed(shape.uses, { kind: "condition", entity: facts.key }),
  }));
}

function braces(items: readonly Cell[]): Cell {
  return items.length === 0 ? [] : ["{", ...joinCells(items, ", "), "}"];
}
