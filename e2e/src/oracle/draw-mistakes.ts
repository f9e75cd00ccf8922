import type { Choices } from "./choices.ts";
import type { Run } from "./evaluate.ts";
import {
  capabilitiesOf,
  type Capability,
  type Entity,
  isList,
  keyedGet,
  type World,
} from "./model.ts";
import type { Mistake } from "./program.ts";

const isOpen = ({ kind, params }: Capability): boolean =>
  kind === "query" && params.every(({ required }) => !required);

/** Lines about one entity that mean nothing: unknown names, values that do not fit, words out of place. */
function mistakesAbout(world: World, entity: Entity): readonly string[] {
  const { name, fields, key } = entity;
  const capabilities = capabilitiesOf(world, name);
  const isListed = capabilities.some((each) => isList(each) && isOpen(each));
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
    if (each.kind !== "create") return [];
    const needed = each.params.some(({ required }) => required) ? [`${name}.${each.label}()`] : [];
    return [...needed, `${name}.${each.label}(nowhere=1)`];
  });
  // Without a get by key there is none, whatever else reads the entity.
  const unread = keyedGet(world, name) === null && key.length === 1 ? [`${name}(1)`] : [];
  return [...(isListed ? rows : []), ...effects, ...unread, `${name}.nowhere()`, "nowhere"];
}

/** Creates that are given one text where a list of texts is due: it may be meant for several (17.6). */
function textMistakes(world: World, entity: Entity): readonly string[] {
  const creates = capabilitiesOf(world, entity.name).filter(({ kind }) => kind === "create");
  return creates.flatMap(({ label, params }) =>
    params
      .filter(({ type }) => type === "words")
      .filter((param) => params.every((one) => !one.required || one === param))
      .map((param) => `${entity.name}.${label}(${param.name}="a, b")`),
  );
}

/** Effects on the rows that rows refer to, where a later one refers to none: none of them is sent (17.12). */
function lateMistakes(world: World, entity: Entity): readonly string[] {
  const list = capabilitiesOf(world, entity.name).find(
    (each) => isList(each) && isOpen(each) && each.shows === null,
  );
  if (list === undefined || !isList(list) || list.paging.kind === "undeclared") return [];
  return entity.fields.flatMap((field) => {
    if (field.type !== "ref" || field.detail || entity.leavesNullsOut) return [];
    const cells = entity.rows.map((row) => row.cells[field.name] ?? null);
    if ((cells[0] ?? null) === null || !cells.includes(null)) return [];
    const effects = capabilitiesOf(world, field.target ?? "").filter(
      ({ kind, params }) =>
        (kind === "delete" || kind === "action") && params.every(({ required }) => !required),
    );
    return effects.map(
      ({ label }) => `${entity.name} => ${String(field.target)}(_.${field.name}).${label}()`,
    );
  });
}

/** Draws a line for which a whole program is refused before anything of it is done. */
export function drawMistake(choices: Choices, { state: { world } }: Run): Mistake | null {
  const entity = choices.pickAny(world.entities);
  if (entity === null) return null;
  const late = choices.pickAny(lateMistakes(world, entity));
  if (late !== null && choices.chance(60)) return { text: late, found: "read" };
  const alone = choices.pickAny(textMistakes(world, entity));
  const text =
    alone !== null && choices.chance(50) ? alone : choices.pickAny(mistakesAbout(world, entity));
  return text === null ? null : { text, found: "planned" };
}
