import type { Json } from "../../values/value-type.ts";
import type { Form, FormKeys } from "../shape/shape.ts";

export type Schema = { readonly [key: string]: Json };

/** What is said of a form: of its keys, and, where it is told apart by a word, of its words. */
export interface Words {
  readonly keys: ReadonlyMap<string, string>;
  readonly words: ReadonlyMap<string, string>;
}

/** The forms that get a name of their own: each stands once among the definitions. */
export interface Naming {
  readonly names: ReadonlyMap<Form, string>;
  /** what is said of a named form */
  readonly said: ReadonlyMap<string, Words>;
}

const NAME = "[A-Za-z_][A-Za-z0-9_]*";
/** Keys of the author's own, which are ignored (CAT-001). */
const OWN = { "^x-": {} };
const MAPS: readonly string[] = ["object", "tagged", "map"];
const NOTHING: Words = { keys: new Map(), words: new Map() };

/** The form that one which is looked up later stands for. */
function settled(form: Form): Form {
  return form.kind === "later" ? settled(form.form()) : form;
}

/** What holds where another schema does, and what does elsewhere. */
const where = (condition: Schema, holds: Schema, elsewhere: Schema | null = null): Schema =>
  Object.fromEntries([
    ["if", condition],
    // oxlint-disable-next-line unicorn/no-thenable
    ["then", holds],
    ...(elsewhere === null ? [] : [["else", elsewhere] as const]),
  ]);

/** Definitions that fill as names are come upon. */
interface Writer extends Naming {
  readonly definitions: Map<string, Schema>;
}

function ref(writer: Writer, form: Form): Schema {
  const { names, said, definitions } = writer;
  const name = names.get(form);
  if (name === undefined)
    return form.kind === "later" ? ref(writer, form.form()) : body(writer, form, NOTHING);
  if (!definitions.has(name)) {
    definitions.set(name, {});
    definitions.set(name, body(writer, settled(form), said.get(name) ?? NOTHING));
  }
  return { $ref: `#/definitions/${name}` };
}

function properties(writer: Writer, keys: FormKeys, words: Words): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(keys).map(([key, { form, fallback }]) => {
      const description = words.keys.get(key);
      const fits = fallback !== "" && (typeof fallback !== "object" || fallback === null);
      const more = {
        ...(description === undefined ? {} : { description }),
        ...(fallback === undefined || !fits ? {} : { default: fallback }),
      };
      const schema = ref(writer, form);
      // Beside `$ref` draft 7 ignores everything.
      const wrapped =
        "$ref" in schema && Object.keys(more).length > 0 ? { allOf: [schema] } : schema;
      return [key, { ...wrapped, ...more }];
    }),
  );
}

function object(
  writer: Writer,
  form: Extract<Form, { kind: "object" }>,
  words: Words,
  also: Schema,
): Schema {
  const keys = form.keys();
  const own = properties(writer, keys, words);
  const synonyms = Object.entries(form.synonyms).map(([other, key]) => [other, own[key] ?? {}]);
  const others = form.also.map((key) => [key, also[key] ?? {}]);
  const required = Object.entries(keys).flatMap(([key, each]) => (each.required ? [key] : []));
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties: { ...Object.fromEntries(others), ...own, ...Object.fromEntries(synonyms) },
    patternProperties: OWN,
    additionalProperties: false,
  };
}

function tagged(writer: Writer, form: Extract<Form, { kind: "tagged" }>, words: Words): Schema {
  const { tag, variants, fallback, called } = form;
  const list = [...variants.keys()];
  const only = { enum: list };
  const chosen = called === null ? only : { anyOf: [only, { type: "string" }] };
  const branches = [...variants].map(([word, variant]) => {
    const description = words.words.get(word);
    const chosen = {
      ...(word === fallback ? {} : { required: [tag] }),
      properties: { [tag]: { const: word } },
    };
    return where(chosen, {
      ...(description === undefined ? {} : { description }),
      ...(variant.kind === "object"
        ? object(writer, variant, words, { [tag]: {} })
        : ref(writer, variant)),
    });
  });
  const other = { required: [tag], properties: { [tag]: { type: "string", not: only } } };
  const functions =
    called?.kind === "object" ? [where(other, object(writer, called, words, { [tag]: {} }))] : [];
  const description = words.keys.get(tag);
  return {
    type: "object",
    ...(fallback === null ? { required: [tag] } : {}),
    properties: {
      [tag]: {
        ...chosen,
        ...(description === undefined ? {} : { description }),
        ...(fallback === null ? {} : { default: fallback }),
      },
    },
    allOf: [...branches, ...functions],
  };
}

/** Told apart by being a map or not, so that what is wrong in a map is told, and not that it is one. */
function either(writer: Writer, forms: readonly Form[]): Schema {
  const maps = forms.filter((each) => MAPS.includes(settled(each).kind));
  const others = forms.filter((each) => !maps.includes(each)).map((each) => ref(writer, each));
  const [map, ...more] = maps;
  if (map === undefined || more.length > 0)
    return { anyOf: forms.map((each) => ref(writer, each)) };
  const [other, ...further] = others;
  const rest = other !== undefined && further.length === 0 ? other : { anyOf: others };
  return where({ type: "object" }, ref(writer, map), rest);
}

function body(writer: Writer, form: Form, words: Words): Schema {
  switch (form.kind) {
    case "any":
      return {};
    case "text":
      return { type: "string" };
    case "name":
      return { type: "string", pattern: `^${NAME}$` };
    case "scalar":
      return { type: ["string", "number", "boolean"] };
    case "true":
      return { const: true };
    case "boolean":
    case "number":
    case "null":
      return { type: form.kind };
    case "integer": {
      const least = form.least === Number.MIN_SAFE_INTEGER ? {} : { minimum: form.least };
      const most = form.most === Number.MAX_SAFE_INTEGER ? {} : { maximum: form.most };
      return { type: "integer", ...least, ...most };
    }
    case "words":
      return { enum: form.words };
    case "list":
      return { type: "array", items: ref(writer, form.each) };
    case "pair":
      return {
        type: "array",
        items: [ref(writer, form.first), ref(writer, form.second)],
        minItems: 2,
        maxItems: 2,
      };
    case "map":
      return {
        type: "object",
        ...(form.own ? { patternProperties: OWN } : {}),
        ...(form.names ? { propertyNames: { pattern: `^(${NAME}$|x-)` } } : {}),
        additionalProperties: ref(writer, form.each),
      };
    case "object":
      return object(writer, form, words, {});
    case "tagged":
      return tagged(writer, form, words);
    case "either":
      return either(writer, form.forms);
    case "later":
      return ref(writer, form);
  }
}

/** Makes JSON Schema (draft 7) of forms; `definitions` fills as names are come upon. */
export function schemaWriter(naming: Naming) {
  const definitions = new Map<string, Schema>();
  const writer: Writer = { ...naming, definitions };
  return {
    definitions,
    ref: (form: Form) => ref(writer, form),
    object: (form: Extract<Form, { kind: "object" }>, words: Words, also: Schema) =>
      object(writer, form, words, also),
  };
}
