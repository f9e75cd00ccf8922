import { type Cgs, keyParts, type ValueType, valueTypeText } from "@plasm/core";

function referenceText(cgs: Cgs, target: string): string {
  const entity = cgs.entities.get(target);
  const parts = entity === undefined ? [] : keyParts(entity);
  const types = parts.map((part) => {
    const type = entity?.fields.get(part)?.type;
    if (type?.kind === "entity_ref") return type.target;
    return type === undefined ? "str" : typeWord(cgs, type);
  });
  return `${target}(${types.join(", ")})`;
}

/** A type as the teaching table writes it, references as `Entity(keytype)` (TEACH-21). */
export const typeWord = (cgs: Cgs, type: ValueType): string =>
  valueTypeText(type, {
    option: (option) => option,
    reference: (target) => referenceText(cgs, target),
  });
