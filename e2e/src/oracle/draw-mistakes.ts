import type { Choices } from "./choices.ts";
import type { Run } from "./evaluate.ts";
import { capabilitiesOf, type Entity, isList, keyedGet, type World } from "./model.ts";

/** Lines about one entity that mean nothing: unknown names, values that do not fit, words out of place. */
function mistakesAbout(world: World, entity: Entity): readonly string[] {
  const { name, fields, key } = entity;
  const capabilities = capabilitiesOf(world, name);
  const isListed = capabilities.some(
    (each) => isList(each) && each.kind === "query" && each.params.every((one) => !one.required),
  );
  const typed = (...types: readonly string[]): readonly string[] =>
    fields.filter(({ type }) => types.includes(type)).map((field) => field.name);
  const rows = [
    `${name}{nowhere=1}`,
    `${name}[nowhere]`,
    `${name}.sort(nowhere)`,
    `${name}.group_by(nowhere, n=count)`,
    `${name}.limit(-1)`,
    `${name}.limit(some)`,
    `${name}{`,
    ...typed("integer", "number").flatMap((field) => [
      `${name}{${field}=ann}`,
      `${name}{${field}~1}`,
    ]),
    ...typed("boolean").map((field) => `${name}{${field}<true}`),
    ...typed("select").map((field) => `${name}{${field}=nowhere}`),
    ...typed("text").map((field) => `${name}.aggregate(n=sum(${field}))`),
    ...typed("day", "instant").map((field) => `${name}{${field}=ann}`),
  ];
  const effects = capabilities.flatMap((each) => {
    if (isList(each) || each.kind === "get") return [];
    const on = each.kind === "create" ? name : null;
    if (on === null) return [];
    const needed = each.params.some(({ required }) => required) ? [`${on}.${each.label}()`] : [];
    return [...needed, `${on}.${each.label}(nowhere=1)`];
  });
  // Without a get by key there is none, whatever else reads the entity.
  const unread = keyedGet(world, name) === null && key.length === 1 ? [`${name}(1)`] : [];
  return [...(isListed ? rows : []), ...effects, ...unread, `${name}.nowhere()`, "nowhere"];
}

/** Draws a line for which a whole program is refused, before anything of it is sent. */
export function drawMistake(choices: Choices, { state: { world } }: Run): string | null {
  const entity = choices.pickAny(world.entities);
  return entity === null ? null : choices.pickAny(mistakesAbout(world, entity));
}
