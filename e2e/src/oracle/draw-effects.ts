import type { Choices } from "./choices.ts";
import { collectionOf, rowPath, type Shape } from "./draw-shapes.ts";
import { drawValue } from "./draw-values.ts";
import type { EffectCapability, Field, Param, Reply } from "./model.ts";

const REPLIES: readonly [Reply, ...Reply[]] = ["row", "nothing", "key"];

const argument = (field: Field, required: boolean): Param => ({
  name: field.name,
  type: field.type,
  target: field.target,
  options: field.options,
  required,
  role: "filter",
  place: "body",
  keeps: { kind: "field", field: field.name },
});

const ARGUMENTS: readonly Field["type"][] = [
  "text",
  "integer",
  "number",
  "boolean",
  "select",
  "day",
  "words",
  "ref",
];

/** Fields that effects take: no key part, at the top of a row, of a type whose values stand alone. */
const argumentFields = (of: Shape): readonly Field[] =>
  of.fields.filter(({ name, type }) => !of.key.includes(name) && ARGUMENTS.includes(type));

/** Whether a create may be told the key: a text or number that is the row's own. */
const keyIsTold = (of: Shape): boolean =>
  of.fields.find(({ name }) => name === of.key[0])?.type !== "ref";

function drawCreate(choices: Choices, of: Shape): EffectCapability {
  const key = of.fields.filter(({ name }) => of.key.includes(name));
  const client = of.key.length > 1 || (keyIsTold(of) && choices.chance(40));
  const told = client ? key.map((part) => argument(part, true)) : [];
  const rest = choices
    .some(argumentFields(of), 3)
    .map((field) => argument(field, choices.chance(40)));
  return {
    name: `${of.name.toLowerCase()}_create`,
    label: "create",
    entity: of.name,
    kind: "create",
    method: "POST",
    path: [{ literal: collectionOf(of) }],
    params: [...told, ...rest],
    does: { kind: "create", key: client ? "client" : "server" },
    reply: choices.pick(REPLIES),
  };
}

function drawUpdate(choices: Choices, of: Shape): EffectCapability | null {
  const params = choices.some(argumentFields(of), 3).map((field) => argument(field, false));
  if (params.length === 0) return null;
  return {
    name: `${of.name.toLowerCase()}_update`,
    label: "update",
    entity: of.name,
    kind: "update",
    method: choices.pick(["PATCH", "PUT"]),
    path: rowPath(choices, of),
    params,
    does: { kind: "update" },
    reply: choices.pick(REPLIES),
  };
}

function drawDelete(choices: Choices, of: Shape): EffectCapability {
  return {
    name: `${of.name.toLowerCase()}_delete`,
    label: "delete",
    entity: of.name,
    kind: "delete",
    method: "DELETE",
    path: rowPath(choices, of),
    params: [],
    does: { kind: "delete" },
    reply: "nothing",
  };
}

function drawAction(choices: Choices, of: Shape): EffectCapability | null {
  const field = choices.pickAny(argumentFields(of).filter(({ type }) => type !== "ref"));
  if (field === null) return null;
  const label = choices.pick(["close", "mark", "reset"]);
  return {
    name: `${of.name.toLowerCase()}_${label}`,
    label,
    entity: of.name,
    kind: "action",
    // Some APIs change data where others only read it.
    method: choices.pick(["POST", "POST", "GET"]),
    path: [...rowPath(choices, of), { literal: label }],
    params: [],
    does: { kind: "set", field: field.name, value: drawValue(choices, field) },
    reply: choices.pick(REPLIES),
  };
}

/** The effects of an entity: up to four, of each kind one. */
export function drawEffects(choices: Choices, of: Shape): readonly EffectCapability[] {
  const drawn = [
    choices.chance(40) ? drawCreate(choices, of) : null,
    choices.chance(40) ? drawUpdate(choices, of) : null,
    choices.chance(30) ? drawDelete(choices, of) : null,
    choices.chance(35) ? drawAction(choices, of) : null,
  ];
  return drawn.filter((each) => each !== null);
}
