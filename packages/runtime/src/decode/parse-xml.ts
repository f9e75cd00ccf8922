import type { Json, JsonObject } from "@plasm/core";
import { numberValue, type ResponseShape, type XmlMember } from "@plasm/core/internal";
import { SaxesParser } from "saxes";
import type { Pausable } from "../base/turns.ts";

/** XML as JSON, or why it is none that is read. */
export type ReadXml =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly why: string };

/** An element as it came: local names only, and no declarations of namespaces. */
interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

/** So many characters are parsed between two pauses. */
const STRETCH = 1 << 16;
/** More elements and attributes than any page of rows has. */
const MOST_NODES = 300_000;

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

class XmlRefused extends Error {}

/** The elements of a text. No DTD is read and no entity of one is known: a text that names one is refused by the parser. */
function* elementsOf(text: string, maxDepth: number): Pausable<Element> {
  const top: Element = { name: "", attributes: new Map(), children: [], text: "" };
  const open: Element[] = [top];
  let nodes = 0;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const own = Object.entries(attributes).filter(([key]) => !/^xmlns(?::|$)/.test(key));
    nodes += 1 + own.length;
    if (nodes > MOST_NODES) throw new XmlRefused(`it has more than ${MOST_NODES} elements`);
    if (open.length > maxDepth) throw new XmlRefused(`it nests deeper than ${maxDepth}`);
    const named = own.map(([key, value]) => [localName(key), value] as const);
    const element = { name: localName(name), attributes: new Map(named), children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  const take = (said: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += said;
  };
  parser.on("text", take);
  parser.on("cdata", take);
  for (let at = 0; at < text.length; at += STRETCH) {
    parser.write(text.slice(at, at + STRETCH));
    yield;
  }
  parser.close();
  return top;
}

type Members = ReadonlyMap<string, XmlMember>;

/** A mapping's members by the path of what they are in, read once. */
interface XmlForm {
  readonly members: Members;
  /** of each path of an object the names of its members that are said */
  readonly within: ReadonlyMap<string, readonly string[]>;
}

const forms = new WeakMap<Members, XmlForm>();

function formOf(members: Members): XmlForm {
  const known = forms.get(members);
  if (known !== undefined) return known;
  const within = new Map<string, string[]>();
  for (const path of members.keys()) {
    const at = path.lastIndexOf("/");
    const above = at < 0 ? "" : path.slice(0, at);
    within.set(above, [...(within.get(above) ?? []), path.slice(at + 1)]);
  }
  const made = { members, within };
  forms.set(members, made);
  return made;
}

const below = (path: string, name: string): string => (path === "" ? name : `${path}/${name}`);

/** The texts of XML Schema for a flag. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false],
]);

function scalarOf(text: string, type: XmlMember["type"]): Json {
  switch (type) {
    case "number":
      return numberValue(text.trim()) ?? text;
    case "boolean":
      return FLAGS.get(text.trim()) ?? text;
    case "object":
    case undefined:
      return text;
  }
}

/** What tells the entries of a map apart, and what they hold. */
const KEYS = ["key", "name"];
const VALUES = ["value"];

const partOf = ({ children }: Element, names: readonly string[]): Element | undefined =>
  children.find(({ name }) => names.includes(name.toLowerCase()));

/** Entries as an object: `<entry><key>a</key><value>1</value></entry>`. Those without a key are left out. */
function mapOf(form: XmlForm, entries: readonly Element[], path: string): JsonObject {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const key = partOf(entry, KEYS);
      if (key === undefined) return [];
      const value = partOf(entry, VALUES) ?? entry.children.find((one) => one !== key);
      return [[key.text, value === undefined ? null : valueOf(form, value, path)] as const];
    }),
  );
}

/** One element as a value: an object where it has elements, or attributes that are asked for; null where it has nothing. */
function valueOf(form: XmlForm, element: Element, path: string): Json {
  const type = form.members.get(path)?.type;
  if (element.attributes.get("nil") === "true") return null;
  const said = form.within.get(path) ?? [];
  const hasAttributes = said.some(
    (name) => attributeOf(form, element, below(path, name)) !== undefined,
  );
  if (element.children.length > 0 || hasAttributes) return objectOf(form, element, path);
  if (element.text.trim() !== "") return scalarOf(element.text, type);
  return type === "object" ? objectOf(form, element, path) : null;
}

function attributeOf({ members }: XmlForm, element: Element, path: string): string | undefined {
  const from = members.get(path)?.from;
  return from?.startsWith("@") === true ? element.attributes.get(from.slice(1)) : undefined;
}

/** Elements that hold what a list has, however many: those within its own element, or its own elements one after another. */
function listOf(form: XmlForm, children: readonly Element[], path: string, item: string): Json {
  const { from, type } = form.members.get(path) ?? {};
  const name = from ?? path.slice(path.lastIndexOf("/") + 1);
  const own = children.filter((one) => one.name === name);
  const [only, second] = own;
  const isWrapped =
    only !== undefined && second === undefined && item !== name && holdsItems(only, item, type);
  const items = isWrapped
    ? only.children
    : own.length > 0
      ? own
      : children.filter((one) => one.name === item);
  return items.map((one) => valueOf(form, one, path));
}

/** Whether an element is around the items of a list, whatever they are called, and not one of them. */
function holdsItems({ text, children }: Element, item: string, type: XmlMember["type"]): boolean {
  const [first] = children;
  if (text.trim() !== "") return false;
  if (first === undefined || children.every(({ name }) => name === item)) return true;
  const isAlike = children.every(({ name }) => name === first.name);
  return isAlike && (type !== "object" || first.children.length > 0);
}

/** The members of an element: those that are said, and all others under their own names; of several of one name a list. */
function objectOf(form: XmlForm, { children, ...element }: Element, path: string): JsonObject {
  const members = new Map<string, Json>();
  const taken = new Set<string>();
  for (const name of form.within.get(path) ?? []) {
    const at = below(path, name);
    const { list, map, from = name } = form.members.get(at) ?? {};
    const attribute = attributeOf(form, { ...element, children }, at);
    if (list !== undefined) {
      members.set(name, listOf(form, children, at, list));
      taken.add(from).add(children.some((one) => one.name === from) ? from : list);
    } else if (map !== undefined) {
      const own = children.find((one) => one.name === from);
      const entries = (own?.children ?? children).filter((one) => one.name === map);
      if (own !== undefined || entries.length > 0) members.set(name, mapOf(form, entries, at));
      taken.add(own === undefined ? map : from);
    } else if (from.startsWith("@")) {
      if (attribute !== undefined)
        members.set(name, scalarOf(attribute, form.members.get(at)?.type));
    } else {
      const found =
        children.find((one) => one.name === from) ?? children.find((one) => one.name === name);
      if (found !== undefined) members.set(name, valueOf(form, found, at));
      taken.add(found?.name ?? from);
    }
  }
  const others = new Map<string, Element[]>();
  for (const one of children) {
    if (taken.has(one.name)) continue;
    const alike = others.get(one.name);
    if (alike === undefined) others.set(one.name, [one]);
    else alike.push(one);
  }
  for (const [name, all] of others) {
    const values = all.map((one) => valueOf(form, one, below(path, name)));
    const [value = null] = values;
    if (!members.has(name)) members.set(name, values.length === 1 ? value : values);
  }
  if (element.text.trim() !== "" && !members.has("value")) members.set("value", element.text);
  return Object.fromEntries(members);
}

/**
 * What an answer's element holds. `BoatsResponse` around `BoatsResult` and the envelope of SOAP are taken off; an element that
 * is itself what the mapping looks for is the member of its name.
 */
function contentOf(form: XmlForm, root: Element, wanted: string | undefined): JsonObject {
  const inner = root.children.find(({ name }) => name === "Body")?.children[0];
  if (root.name === "Envelope" && inner !== undefined) return contentOf(form, inner, wanted);
  if (root.name.endsWith("Response")) {
    const result = root.name.replace(/Response$/, "Result");
    const held = root.children.find(({ name }) => name === result);
    if (held !== undefined) return objectOf(form, held, "");
  }
  const from = wanted === undefined ? undefined : (form.members.get(wanted)?.from ?? wanted);
  const isItself = from === root.name && !root.children.some(({ name }) => name === from);
  return objectOf(form, isItself ? { ...root, name: "", children: [root], text: "" } : root, "");
}

/** Reads XML by what a mapping says of it, with pauses (MAP-035, RUN-197). */
export function* xmlInSteps(
  text: string,
  { xml = new Map(), itemsPath, items }: Pick<ResponseShape, "xml"> & Partial<ResponseShape>,
  maxDepth: number,
): Pausable<ReadXml> {
  try {
    const [root] = (yield* elementsOf(text, maxDepth)).children;
    if (root === undefined) return { ok: false, why: "it has no element" };
    return { ok: true, value: contentOf(formOf(xml), root, itemsPath?.[0] ?? items) };
  } catch (error) {
    if (error instanceof XmlRefused) return { ok: false, why: error.message };
    return { ok: false, why: `it is no XML (${text.length} characters, perhaps cut off)` };
  }
}
