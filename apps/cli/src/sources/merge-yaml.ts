import { type Document, isMap, isScalar, isSeq, type Node, Pair, parseDocument } from "yaml";

/** What a merge could not take from the newer text, since people had changed the same place. */
export interface Kept {
  /** keys that lead there; of a list with names, the name */
  readonly path: readonly string[];
  readonly why: "both_changed" | "removed_here" | "removed_there";
}

/** The members of a node that have names: of a map, of a list of maps with `name`, of a list of pairs. */
interface Members {
  readonly kind: "map" | "named" | "pairs";
  readonly byName: ReadonlyMap<string, Node | null>;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

function membersOf(node: Node | null | undefined): Members | null {
  if (isMap(node)) {
    const byName = node.items.map(
      ({ key, value }) => [keyText(key), value as Node | null] as const,
    );
    return { kind: "map", byName: new Map(byName) };
  }
  if (!isSeq(node) || node.items.length === 0) return null;
  const named = node.items.map((item) => (isMap(item) ? item.get("name") : undefined));
  if (named.every((name) => typeof name === "string") && new Set(named).size === named.length) {
    return {
      kind: "named",
      byName: new Map(named.map((name, at) => [name, node.items[at] as Node])),
    };
  }
  const pairs = node.items.map((item) =>
    isSeq(item) && item.items.length === 2 ? item.get(0) : undefined,
  );
  if (!pairs.every((name) => typeof name === "string") || new Set(pairs).size !== pairs.length)
    return null;
  const values = node.items.map((item) => (isSeq(item) ? (item.items[1] as Node | null) : null));
  return { kind: "pairs", byName: new Map(pairs.map((name, at) => [name, values[at] ?? null])) };
}

/** Equal for nodes that say the same, in whatever order and form; undefined for what is not there. */
function saying(node: Node | null | undefined): string | undefined {
  if (node === undefined) return undefined;
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([key, one]) => [key, sorted(one)]);
  };
  return JSON.stringify(sorted(node === null ? null : node.toJSON())) ?? "";
}

/** Removes a member of a node. */
function remove(node: Node, name: string): void {
  if (isMap(node)) node.items = node.items.filter(({ key }) => keyText(key) !== name);
  else if (isSeq(node)) node.items = node.items.filter((item) => nameOf(item) !== name);
}

function nameOf(item: unknown): unknown {
  if (isMap(item)) return item.get("name");
  return isSeq(item) ? item.get(0) : undefined;
}

/** The item of the newer node that has this name: with its comments, as it stands there. */
function itemOf(node: Node, name: string): unknown {
  if (isMap(node)) return node.items.find(({ key }) => keyText(key) === name);
  return isSeq(node) ? node.items.find((item) => nameOf(item) === name) : undefined;
}

/** Puts a member of the newer node after the one that stands before it there, or at the end. */
function add(node: Node, newer: Node, name: string, order: readonly string[]): void {
  const item = itemOf(newer, name);
  if (item === undefined || (!isMap(node) && !isSeq(node))) return;
  const items = node.items as unknown[];
  const before = order.slice(0, order.indexOf(name)).toReversed();
  const has = (one: string) =>
    items.findIndex((each) => (each instanceof Pair ? keyText(each.key) : nameOf(each)) === one);
  const at = before.map(has).find((found) => found >= 0);
  items.splice(at === undefined ? items.length : at + 1, 0, item);
}

/** Puts another value in the place of a member; comments beside it stay. */
function replace(node: Node, name: string, value: Node | null): void {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => keyText(key) === name);
    if (pair === undefined) return;
    const old = pair.value;
    if (isScalar(old) && isScalar(value)) old.value = value.value;
    else pair.value = value;
    return;
  }
  if (!isSeq(node)) return;
  const at = node.items.findIndex((item) => nameOf(item) === name);
  const item = node.items[at];
  if (isSeq(item)) item.items[1] = value;
  else node.items[at] = value;
}

interface Merging {
  readonly kept: Kept[];
  /** members that are never removed here: something else decides on them */
  readonly holds: (path: readonly string[]) => boolean;
}

/** Brings what changed from `base` to `newer` into `own`, whose members all three have by name. */
function mergeMembers(
  base: Node | null | undefined,
  own: Node,
  newer: Node,
  path: readonly string[],
  merging: Merging,
): void {
  const [was, has, comes] = [membersOf(base), membersOf(own), membersOf(newer)];
  const order = [...(comes?.byName.keys() ?? [])];
  for (const name of new Set([...order, ...(was?.byName.keys() ?? [])])) {
    const at = [...path, name];
    const [b, o, t] = [was?.byName.get(name), has?.byName.get(name), comes?.byName.get(name)];
    const [sb, so, st] = [saying(b), saying(o), saying(t)];
    if (st === sb || so === st) continue;
    if (so === undefined) {
      if (sb === undefined) add(own, newer, name, order);
      else merging.kept.push({ path: at, why: "removed_here" });
    } else if (st === undefined) {
      if (so !== sb) merging.kept.push({ path: at, why: "removed_there" });
      else if (!merging.holds(at)) remove(own, name);
    } else if (o && t && membersOf(o) !== null && membersOf(o)?.kind === membersOf(t)?.kind) {
      const same = b && membersOf(b)?.kind === membersOf(o)?.kind;
      mergeMembers(same ? b : undefined, o, t, at, merging);
    } else if (so === sb) replace(own, name, t ?? null);
    else merging.kept.push({ path: at, why: "both_changed" });
  }
}

const parse = (text: string): Document.Parsed => parseDocument(text, { logLevel: "silent" });

/**
 * Merges what changed between two generated texts into the text that people have edited: order, comments and
 * form of what they have stay, and where both changed a place, theirs stays and is told in `kept`. `holds` names
 * members that are not removed.
 */
export function mergeYaml(
  base: string,
  own: string,
  newer: string,
  holds: Merging["holds"] = () => false,
): { readonly document: Document.Parsed; readonly kept: readonly Kept[] } {
  const document = parse(own);
  const kept: Kept[] = [];
  const [was, comes] = [parse(base).contents, parse(newer).contents];
  if (isMap(document.contents) && isMap(comes))
    mergeMembers(was, document.contents, comes, [], { kept, holds });
  return { document, kept };
}

/** The text of a merged document, in the form that generated files have. */
export const documentText = (document: Document.Parsed): string =>
  document.toString({ lineWidth: 120, flowCollectionPadding: true });
