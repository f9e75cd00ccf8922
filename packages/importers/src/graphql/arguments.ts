import {
  getNamedType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from "graphql";
import { bodyForm, type MemberValue } from "../catalog/body-form.ts";
import type { DocumentObject } from "../json.ts";
import type { DraftExpression, Role, SlotDraft } from "../catalog/capability-draft.ts";
import { describedWith, hiddenBy } from "../catalog/sent-values.ts";
import type { EntityDraft } from "../catalog/entity-draft.ts";
import { sameForm } from "../catalog/entity-keys.ts";
import type { ValueTable } from "../catalog/value-table.ts";
import { shapeOf } from "../document/schema-shape.ts";
import { clauseBeside } from "../names/clause.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { folded } from "../names/words.ts";
import { type GraphqlField, typeSchema } from "./schema-types.ts";

/** A value that a field takes: an argument, or a member of an argument that is an object. */
export interface Argument {
  /** the name of the argument, and that of its member */
  readonly path: readonly string[];
  readonly type: GraphQLInputType;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly defaultValue: unknown;
}

/** Members that arguments of their own are made of; an object with more is one argument of JSON. */
const MOST_MEMBERS = 30;

const ORDERS = /^(?:sort|order|ordering|orderby|sortby|sorting|orderbys?)$/;

const DIRECTIONS = /^(?:asc|desc)(?:ending)?$/i;

const isDirection = (type: GraphQLInputType): boolean => {
  const plain = nullable(type);
  return isEnumType(plain) && plain.getValues().every(({ name }) => DIRECTIONS.test(name));
};

/** The members of an order that is said by a word for what is sorted by and one for the direction: `{field: NAME, direction: DESC}`. */
function orderMembers({ name, type }: Given): readonly Given[] | null {
  const plain = nullable(type);
  if (!isInputObjectType(plain) || !ORDERS.test(folded(name))) return null;
  const members = Object.values(plain.getFields());
  const ways = members.filter((one) => isDirection(one.type));
  const words = members.filter((one) => isEnumType(nullable(one.type)) && !isDirection(one.type));
  const others = members.filter(
    (one) => isRequired(one) && !ways.includes(one) && !words.includes(one),
  );
  return ways.length === 1 && words.length === 1 && others.length === 0 ? members : null;
}

const nullable = (type: GraphQLInputType): GraphQLInputType =>
  isNonNullType(type) ? type.ofType : type;

interface Given {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly description?: string | null | undefined;
  readonly defaultValue?: unknown;
  readonly deprecationReason?: string | null | undefined;
}

const isRequired = ({ type, defaultValue }: Given): boolean =>
  isNonNullType(type) && defaultValue === undefined;

const argumentOf = (given: Given, path: readonly string[], required: boolean): Argument => ({
  path: [...path, given.name],
  type: given.type,
  required,
  description: given.description ?? undefined,
  defaultValue: given.defaultValue,
});

/** Arguments that choose which rows a call is about. */
const CONDITIONS = /^(?:where|filters?|condition|criteria|selector)$/;

/**
 * Whether an object chooses the rows that a change is made to, and is none of keys. It stays one argument: of its members
 * all could be left out, and all rows would be changed.
 */
const choosesRows = (name: string, members: readonly Given[]): boolean =>
  CONDITIONS.test(folded(name)) &&
  !members.some((one) => /^(?:uu)?id$/.test(folded(one.name)) && isLeafType(nullable(one.type)));

/** The values that a field takes. Members of an object stand for it, where leaving out all of them is right. */
export function argumentsOf({ args }: GraphqlField, isChange = false): readonly Argument[] {
  return args
    .filter((arg) => isRequired(arg) || typeof arg.deprecationReason !== "string")
    .flatMap((arg) => {
      const type = nullable(arg.type);
      const required = isRequired(arg);
      const order = orderMembers(arg);
      if (order !== null)
        return order.map((one) => argumentOf(one, [arg.name], required && isRequired(one)));
      if (!isInputObjectType(type) || ORDERS.test(folded(arg.name)))
        return [argumentOf(arg, [], required)];
      const members = Object.values(type.getFields()).filter(
        (one) => isRequired(one) || typeof one.deprecationReason !== "string",
      );
      const isOpen = required || !members.some(isRequired);
      if (!isOpen || members.length > MOST_MEMBERS || type.isOneOf)
        return [argumentOf(arg, [], required)];
      if (isChange && choosesRows(arg.name, members)) return [argumentOf(arg, [], required)];
      return members.map((member) => argumentOf(member, [arg.name], isRequired(member)));
    });
}

/** How a call's arguments come to be its variables. */
export interface ArgumentScene {
  readonly entity: EntityDraft;
  readonly values: ValueTable;
  readonly field: GraphqlField;
  readonly kind: "list" | "read" | "write";
  /** paths of arguments, joined by dots, that the row's own key gives: by the name of the key's part */
  readonly keyed: ReadonlyMap<string, string>;
  /** paths of arguments that paging gives */
  readonly paged: ReadonlySet<string>;
  /** The entity whose key an argument is, if it certainly is one. */
  readonly refOf: (argument: Argument, entity: EntityDraft) => EntityDraft | null;
  /** whether rows have a column of this name */
  readonly isColumn?: (name: string) => boolean;
  /** names of slots that are taken before */
  readonly taken: readonly string[];
}

/** The parameters of a capability and what its request says of them. */
export interface MadeArguments {
  readonly slots: readonly SlotDraft[];
  /** `$first: Int!, $after: String`; empty where there are none */
  readonly declared: readonly string[];
  /** `(first: $first, after: $after)`; empty where there are none */
  readonly passed: string;
  readonly variables: readonly (readonly [string, DraftExpression])[];
  readonly left: readonly string[];
}

const SEARCHES = new Set("q query search searchterm term keyword keywords text".split(" "));

function roleOf({ path, type, required }: Argument, kind: ArgumentScene["kind"]): Role | null {
  if (kind !== "list") return null;
  const name = folded(path.at(-1) ?? "");
  const isOfOrder = path.length > 1 && ORDERS.test(folded(path[0] ?? ""));
  if (isOfOrder && isEnumType(nullable(type))) return isDirection(type) ? "sort_direction" : "sort";
  if (ORDERS.test(name)) return "sort";
  if (/^(?:direction|sortdirection|orderdirection|sortorder)$/.test(name)) return "sort_direction";
  const isText = getNamedType(type).name === "String" && !isListType(nullable(type));
  return required && isText && SEARCHES.has(name) ? "search" : null;
}

const EQUALS = /^_?(?:eq|equals|equalto)$/;

/**
 * The member by which a filter of one column compares with one value: `{_eq: …}` of `name: {_eq, _in, _ilike}`. A
 * condition on the column is sent by it; other comparisons stand in the filter's `and`, or are tested after.
 */
function equalsOf(
  { path: [top, member], type }: Argument,
  all: readonly Argument[],
): { readonly name: string; readonly type: GraphQLInputType } | null {
  const plain = nullable(type);
  if (member === undefined || !isInputObjectType(plain)) return null;
  const hasAnd = all.some((one) => one.path[0] === top && folded(one.path[1] ?? "") === "and");
  const found = Object.values(plain.getFields()).find(({ name }) => EQUALS.test(folded(name)));
  return hasAnd && found !== undefined && isLeafType(nullable(found.type)) ? found : null;
}

const isUpload = (type: GraphQLInputType): boolean =>
  /^(?:upload|file)$/i.test(getNamedType(type).name);

/** Makes the parameters of a call and the variables of its request, or says why it cannot be made. */
export function makeArguments(
  scene: ArgumentScene,
  all: readonly Argument[],
): MadeArguments | string {
  const { entity, values, field, kind, keyed, paged } = scene;
  const taken = new Set(scene.taken);
  const slots: SlotDraft[] = [];
  const left: string[] = [];
  const trees = new Map<string, (readonly [string, DraftExpression])[] | DraftExpression>();
  const passed = new Set<string>();
  let hasSearch = false;
  for (const given of all) {
    const equals =
      kind === "list" && scene.isColumn?.(slotName(given.path, all)) === true
        ? equalsOf(given, all)
        : null;
    const argument = equals === null ? given : { ...given, type: equals.type, required: false };
    const { path, type, required, description } = argument;
    const [top = "", member] = path;
    const key = path.join(".");
    if (isUpload(type)) {
      if (required) return `it needs the file ${key}, which GraphQL has no form for`;
      left.push(`the file ${key}, which GraphQL has no form for`);
      continue;
    }
    passed.add(top);
    const tree = trees.get(top) ?? [];
    if (member !== undefined) trees.set(top, tree);
    if (paged.has(key)) continue;
    const own = keyed.get(key);
    const name = own ?? reserveName(taken, slotName(path, all));
    const expression: DraftExpression = { type: "var", name };
    if (member === undefined) trees.set(top, expression);
    else if (Array.isArray(tree))
      tree.push([member, equals === null ? expression : whereGiven(name, equals.name)]);
    if (own !== undefined) continue;
    const role = roleOf(argument, kind);
    // A list of orders takes one as well.
    const element = nullable(type);
    const isOrders = role === "sort" && isListType(element) && isEnumType(nullable(element.ofType));
    const schema = typeSchema(isOrders ? nullable(element.ofType as GraphQLInputType) : type);
    const valueOf = (inner: DocumentObject, member: string): MemberValue => ({
      value: values.ofShape(shapeOf(inner, member), member, entity.snake),
      ref: null,
    });
    const form = kind === "write" ? bodyForm(schema, { valueOf }, name) : null;
    const ref = form === null && isLeafType(nullable(type)) ? scene.refOf(argument, entity) : null;
    const isFilter = kind === "list" && role === null && !required;
    const isColumn = scene.isColumn?.(name) ?? false;
    const hidden = isFilter
      ? hiddenBy({ ...schema, default: argument.defaultValue }, "body", isColumn)
      : null;
    const shape = shapeOf(schema, isEnumType(getNamedType(type)) ? "" : name);
    slots.push({
      name,
      type:
        form === null
          ? {
              kind: "value",
              value:
                ref === null ? values.ofShape(shape, name, entity.snake) : values.ofEntity(ref),
            }
          : { kind: "form", form },
      required,
      role: role === "search" && hasSearch ? null : role,
      description: describedWith(clauseBeside(description, name, entity.name), hidden),
      ...(hidden?.only === undefined ? {} : { listsOnly: hidden.only }),
      ref,
    });
    hasSearch ||= role === "search";
  }
  const declared = field.args
    .filter(({ name }) => passed.has(name))
    .map(({ name, type }) => `$${name}: ${String(type)}`);
  const names = field.args.filter(({ name }) => passed.has(name)).map(({ name }) => name);
  return {
    slots,
    declared,
    passed: names.length === 0 ? "" : `(${names.map((name) => `${name}: $${name}`).join(", ")})`,
    variables: [...trees].map(([name, tree]) => [
      name,
      Array.isArray(tree)
        ? { type: "object", fields: tree as (readonly [string, DraftExpression])[] }
        : (tree as DraftExpression),
    ]),
    left,
  };
}

/** `{_eq: name}` where the name has a value, else nothing. */
const whereGiven = (name: string, equals: string): DraftExpression => ({
  type: "if",
  condition: { type: "exists", var: name },
  then_expr: { type: "object", fields: [[equals, { type: "var", name }]] },
  else_expr: { type: "const", value: null },
});

/** Whether a member of an order says what is sorted by. */
const isWord = (path: readonly string[], all: readonly Argument[]): boolean =>
  all.some(
    ({ path: one, type }) =>
      one.join() === path.join() && isEnumType(nullable(type)) && !isDirection(type),
  );

/** A name by the last part of a path, with the one before it where two would have the same. */
function slotName(path: readonly string[], all: readonly Argument[]): string {
  const [top = ""] = path;
  if (path.length > 1 && ORDERS.test(folded(top)))
    return catalogName(isWord(path, all) ? top : path.join("_"), "value");
  const last = path.at(-1) ?? "";
  const isAlone = all.every((one) => one.path.at(-1) !== last || one.path.join() === path.join());
  const name = catalogName(isAlone ? last : path.join("_"), "value");
  return name === "input" ? "input_value" : name;
}

/** Whether an argument is the key of an entity by its name and form: `boatId`, or `id` where rows have that key. */
export function isKeyOf(argument: Argument, entity: EntityDraft, isOwn: boolean): boolean {
  const [part] = entity.key;
  if (part === undefined || !isLeafType(nullable(argument.type))) return false;
  const name = folded(argument.path.at(-1) ?? "");
  const key = folded(part.property ?? part.name);
  const noun = entity.snake.split("_").join("");
  const isNamed = name === `${noun}${key}` || (isOwn && name === key);
  const isId = getNamedType(argument.type).name === "ID";
  return (isNamed || (isId && name === noun)) && sameForm(part.schema, typeSchema(argument.type));
}
