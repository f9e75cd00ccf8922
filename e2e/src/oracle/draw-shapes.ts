import type { Choices } from "./choices.ts";
import type { Entity, Segment } from "./model.ts";

/** An entity without what reads and changes it. */
export type Shape = Omit<Entity, "relations" | "description" | "primary">;

export const collectionOf = ({ name }: { readonly name: string }): string =>
  `${name.toLowerCase()}s`;

/** The path to a row: `/shops/{zone}/{number}`, the variables under names that mean the key's parts. */
export function rowPath(choices: Choices, entity: Shape): readonly Segment[] {
  const [only = "id"] = entity.key;
  const names =
    entity.key.length === 1
      ? [choices.pick(["id", only, `${entity.name.toLowerCase()}_id`])]
      : entity.key;
  return [{ literal: collectionOf(entity) }, ...names.map((name) => ({ name }))];
}
