import { parse } from "yaml";
import { isJsonObject } from "../workspace/json-file.ts";
import type { ImportedFiles } from "./catalog-editing.ts";

/** One thing that another document makes of a catalog. */
export interface Drift {
  readonly change: "added" | "removed" | "changed";
  /** whether a program or a plan that was good may be so no more */
  readonly breaking: boolean;
  /** `entity Boat`, `capability boat_query` */
  readonly part: string;
  /** what of it: `field length`; empty for the whole */
  readonly what: string;
}

type Tree = Readonly<Record<string, unknown>>;

const tree = (value: unknown): Tree => (isJsonObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Equal for what says the same; the order of keys says nothing. */
function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => same(one, b[at]));
  if (!isJsonObject(a) || !isJsonObject(b)) return Object.is(a, b);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(a[key], b[key]));
}

const byName = (parameters: unknown): Tree =>
  Object.fromEntries(
    list(parameters).flatMap((one) => {
      const { name } = tree(one);
      return typeof name === "string" ? [[name, one]] : [];
    }),
  );

/** Members of both, each with what it was and is. */
const both = (a: Tree, b: Tree): readonly (readonly [string, unknown, unknown])[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [name, a[name], b[name]]);

/** A type in a few words, and what narrows it. */
interface TypeText {
  readonly text: string;
  readonly options: readonly unknown[];
}

/** Reads the trees of a catalog's files. */
class View {
  readonly #domain: Tree;
  readonly mappings: Tree;

  constructor({ domain, mappings }: ImportedFiles) {
    this.#domain = tree(parse(domain, { logLevel: "silent" }) as unknown);
    this.mappings = tree(parse(mappings, { logLevel: "silent" }) as unknown);
  }

  part(key: string): Tree {
    return tree(this.#domain[key]);
  }

  value(key: string): unknown {
    return this.#domain[key];
  }

  type(slot: unknown): TypeText {
    const { value_ref, input_type } = tree(slot);
    const value = tree(this.part("values")[String(value_ref)]);
    if (typeof value_ref !== "string")
      return { text: JSON.stringify(input_type ?? null), options: [] };
    const { type, target, value_format, items } = value;
    const inner = isJsonObject(items)
      ? ` of ${"value_ref" in items ? this.type(items).text : String(items["type"])}`
      : "";
    const more = [target, value_format].filter((one) => one !== undefined).map(String);
    return {
      text: [String(type), ...more].join(" ") + inner,
      options: list(value["allowed_values"]),
    };
  }
}

type Found = Omit<Drift, "part">;

/** What changed of the types of two slots; an input takes what it took, an answer gives what it gave. */
function typeChanges(
  name: string,
  was: TypeText,
  is: TypeText,
  isInput: boolean,
): readonly Found[] {
  if (was.text !== is.text)
    return [{ change: "changed", breaking: true, what: `${name}: ${was.text} → ${is.text}` }];
  const gone = was.options.filter((one) => !is.options.includes(one));
  const fresh = is.options.filter((one) => !was.options.includes(one));
  return [
    ...(gone.length === 0
      ? []
      : [
          {
            change: "changed" as const,
            breaking: isInput,
            what: `${name}: without ${gone.join(", ")}`,
          },
        ]),
    ...(fresh.length === 0
      ? []
      : [
          {
            change: "changed" as const,
            breaking: false,
            what: `${name}: also ${fresh.join(", ")}`,
          },
        ]),
  ];
}

const gone = (what: string): Found => ({ change: "removed", breaking: true, what });
const fresh = (what: string, breaking = false): Found => ({ change: "added", breaking, what });
const other = (what: string, breaking = false): Found => ({ change: "changed", breaking, what });

function entityChanges(before: View, after: View, a: Tree, b: Tree): readonly Found[] {
  const fields = both(tree(a["fields"]), tree(b["fields"])).flatMap(([name, was, is]) => {
    if (is === undefined) return [gone(`field ${name}`)];
    if (was === undefined) return [fresh(`field ${name}`)];
    return typeChanges(`field ${name}`, before.type(was), after.type(is), false);
  });
  const relations = both(tree(a["relations"]), tree(b["relations"])).flatMap(([name, was, is]) => {
    if (is === undefined) return [gone(`relation ${name}`)];
    if (was === undefined) return [fresh(`relation ${name}`)];
    const leads = tree(was)["target"] === tree(is)["target"];
    const counts = tree(was)["cardinality"] === tree(is)["cardinality"];
    if (!leads || !counts) return [other(`relation ${name}`, true)];
    return same(was, is) ? [] : [other(`relation ${name}`)];
  });
  const keyed = same([a["id_field"], a["key_vars"]], [b["id_field"], b["key_vars"]]);
  const lists = same(
    [a["primary_query"], a["primary_search"]],
    [b["primary_query"], b["primary_search"]],
  );
  return [
    ...(keyed ? [] : [other("its key", true)]),
    ...(lists ? [] : [other("its default list", true)]),
    ...(a["description"] === b["description"] ? [] : [other("description")]),
    ...fields,
    ...relations,
  ];
}

function capabilityChanges(
  before: View,
  after: View,
  name: string,
  a: Tree,
  b: Tree,
): readonly Found[] {
  const slots = both(byName(a["parameters"]), byName(b["parameters"])).flatMap(
    ([slot, was, is]): readonly Found[] => {
      const wants = tree(is)["required"] === true;
      if (is === undefined) return [gone(`parameter ${slot}`)];
      if (was === undefined) return [fresh(`parameter ${slot}${wants ? ", required" : ""}`, wants)];
      const wanted = tree(was)["required"] === true;
      return [
        ...(wants === wanted
          ? []
          : [other(`parameter ${slot}: ${wants ? "required now" : "optional now"}`, wants)]),
        ...typeChanges(`parameter ${slot}`, before.type(was), after.type(is), true),
      ];
    },
  );
  const heads = ["kind", "entity", "output"].flatMap((key) =>
    same(a[key], b[key])
      ? []
      : [
          other(
            `${key}: ${JSON.stringify(a[key] ?? null)} → ${JSON.stringify(b[key] ?? null)}`,
            key !== "output",
          ),
        ],
  );
  const lost = list(a["provides"]).filter(
    (one) => list(b["provides"]).length > 0 && !list(b["provides"]).includes(one),
  );
  return [
    ...heads,
    ...(a["description"] === b["description"] ? [] : [other("description")]),
    ...slots,
    ...(lost.length === 0 ? [] : [other(`answers without ${lost.join(", ")}`, true)]),
    ...(same(before.mappings[name], after.mappings[name]) ? [] : [other("how it is asked for")]),
  ];
}

/** What the catalog of a newer document has otherwise than that of an earlier one, both as they were generated. */
export function catalogDrift(earlier: ImportedFiles, newer: ImportedFiles): readonly Drift[] {
  const [before, after] = [new View(earlier), new View(newer)];
  const each = (
    key: string,
    word: string,
    changes: (name: string, a: Tree, b: Tree) => readonly Found[],
  ): readonly Drift[] =>
    both(before.part(key), after.part(key)).flatMap(([name, was, is]): readonly Drift[] => {
      const part = `${word} ${name}`;
      if (is === undefined) return [{ part, ...gone("") }];
      if (was === undefined) return [{ part, ...fresh("") }];
      return changes(name, tree(was), tree(is)).map((found) => ({ part, ...found }));
    });
  const heads = ["http_backend", "auth", "label", "description"].flatMap((key): readonly Drift[] =>
    same(before.value(key), after.value(key))
      ? []
      : [{ part: key, ...other("", key === "auth" || key === "http_backend") }],
  );
  return [
    ...heads,
    ...each("entities", "entity", (_, a, b) => entityChanges(before, after, a, b)),
    ...each("capabilities", "capability", (name, a, b) =>
      capabilityChanges(before, after, name, a, b),
    ),
  ];
}
