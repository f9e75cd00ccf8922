import type { CatalogDiagnostic } from "../src/catalog/reporter.ts";
import { type KeyPath, keyPathText } from "../src/catalog/key-path.ts";
import { type CatalogSource, loadCatalog } from "../src/catalog/load-catalog.ts";
import type { YamlMap, TextNode, YamlNode } from "../src/catalog/yaml/node.ts";
import { parseYaml } from "../src/catalog/yaml/parse-yaml.ts";

/** A key or value that no format knows: what is said of it tells what could stand in its place. */
const PROBE = "zzz";

/** Keys that choose the keys beside them: a wrong word there hides what is wrong below. */
const TAGS = ["type", "kind", "scheme", "transport"];

/** One map of a catalog: where it is, what it holds, which keys the format allows in it. */
interface Place {
  readonly source: CatalogSource;
  readonly part: Part;
  readonly path: KeyPath;
  readonly node: YamlMap;
  readonly allowed: string;
}

type Part = "domain" | "mappings";

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

const edited = (text: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((done, { at, end, text: put }) => done.slice(0, at) + put + done.slice(end), text);

const partsOf = (source: CatalogSource): readonly Part[] =>
  source.mappings === undefined ? ["domain"] : ["domain", "mappings"];

const textOf = (source: CatalogSource, part: Part): string => source[part]?.text ?? "";

function withEdits(source: CatalogSource, part: Part, edits: readonly Edit[]): CatalogSource {
  const file = source[part]?.file ?? "";
  return { ...source, [part]: { file, text: edited(textOf(source, part), edits) } };
}

/** Every map below a node with the keys that lead to it, aliases followed. */
function maps(node: YamlNode, path: KeyPath): readonly { path: KeyPath; node: YamlMap }[] {
  if (node.kind === "list") return node.items.flatMap((item, at) => maps(item, [...path, at]));
  if (node.kind !== "map") return [];
  const inner = [...node.entries.values()].flatMap(({ key, value }) => maps(value, [...path, key]));
  return [{ path, node }, ...inner];
}

/** Puts the probe in front of a map's entries, in the map's own style. */
function probeKey(text: string, { at, entries }: YamlMap): Edit {
  const flow = text[at.start] === "{";
  const start = flow ? at.start + 1 : at.start;
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const next = flow ? (entries.size === 0 ? "" : ", ") : `\n${" ".repeat(start - line)}`;
  return { at: start, end: start, text: `${PROBE}: 0${next}` };
}

const listed = (message: string, pattern: RegExp): string | undefined => pattern.exec(message)?.[1];

/** The keys that a diagnostic of a wrong key lists; a view's mapping has a rule of its own (MAP-050). */
function keysIn({ code, message }: CatalogDiagnostic): string | undefined {
  if (code === "MAP050") return "transport, view";
  return code === "CAT001" ? listed(message, /Keys allowed here: ([^.]*)\./) : undefined;
}

/** The maps of a catalog in which the format lists the keys. */
function places(source: CatalogSource): readonly Place[] {
  return partsOf(source).flatMap((part) => {
    const text = textOf(source, part);
    const { root } = parseYaml(text);
    if (root === null) return [];
    const found = maps(root, []);
    const edits = new Map(found.map(({ node }) => [node.at.start, probeKey(text, node)]));
    const { diagnostics } = loadCatalog(withEdits(source, part, [...edits.values()]));
    const file = source[part]?.file;
    const allowed = new Map(
      diagnostics.flatMap((each) => {
        const keys = each.file === file ? keysIn(each) : undefined;
        return keys === undefined ? [] : [[each.keyPath, keys] as const];
      }),
    );
    return found.flatMap(({ path, node }) => {
      const keys = allowed.get(keyPathText([...path, PROBE]));
      return keys === undefined ? [] : [{ source, part, path, node, allowed: keys }];
    });
  });
}

/** The words that a diagnostic of a wrong word lists. */
function wordsIn({ code, message }: CatalogDiagnostic): readonly string[] | undefined {
  switch (code) {
    case "CAT002":
    case "MAP002":
      return listed(message, /Allowed: (.*)\.$/)?.split(", ");
    case "MAP020":
      return listed(message, /Core types: ([^.]*)\./)?.split(", ");
    case "MAP030":
      if (message.includes("one of ")) return listed(message, /one of (.*)\.$/)?.split(", ");
      return [...message.matchAll(/(\w+)\{/g)].map(([, kind]) => kind ?? "");
    case "CAT046":
      return [...message.matchAll(/(\w+)\{/g)].map(([, kind]) => kind ?? "");
    default:
      return undefined;
  }
}

/** A text in a map of a catalog, under one of the keys that the format lists. */
interface Occurrence {
  readonly place: Place;
  readonly key: string;
  readonly value: TextNode;
}

/** Whether a wrong word at `a` hides what is wrong at `b`. */
const hides = (a: Occurrence, b: Occurrence): boolean =>
  TAGS.includes(a.key) && a.place.path.every((step, at) => b.place.path[at] === step);

/** Occurrences in groups of which none hides another. */
function apart(occurrences: readonly Occurrence[]): readonly (readonly Occurrence[])[] {
  const groups: Occurrence[][] = [];
  for (const each of occurrences) {
    const open = groups.find((group) =>
      group.every((one) => !hides(one, each) && !hides(each, one)),
    );
    if (open === undefined) groups.push([each]);
    else open.push(each);
  }
  return groups;
}

/** The words that the format lists at each occurrence within one file, where it does. */
function wordsAt(occurrences: readonly Occurrence[]): ReadonlyMap<Occurrence, readonly string[]> {
  const found = new Map<Occurrence, readonly string[]>();
  for (const group of apart(occurrences)) {
    const [first] = group;
    if (first === undefined) continue;
    const { source, part } = first.place;
    const edits = new Map(
      group.map(({ value }) => [
        value.at.start,
        { at: value.at.start, end: value.at.end, text: PROBE },
      ]),
    );
    const { diagnostics } = loadCatalog(withEdits(source, part, [...edits.values()]));
    const file = source[part]?.file;
    const told = new Map(
      diagnostics
        .filter((each) => each.file === file && wordsIn(each) !== undefined)
        .map((each) => [each.keyPath, wordsIn(each) ?? []]),
    );
    for (const each of group) {
      const words = told.get(keyPathText([...each.place.path, each.key]));
      if (words !== undefined) found.set(each, words);
    }
  }
  return found;
}

/** What the formats have, as `key among keys` and `key: word of words`, and what of it catalogs use. */
export interface FormatUse {
  readonly has: ReadonlySet<string>;
  readonly uses: ReadonlySet<string>;
}

/**
 * What the formats have is asked of the readers themselves, with keys and words that are wrong: a new
 * key or word is seen as soon as a reader knows it.
 */
export function formatUse(sources: readonly CatalogSource[]): FormatUse {
  const has = new Set<string>();
  const uses = new Set<string>();
  for (const source of sources) {
    const all = places(source);
    for (const part of partsOf(source)) {
      const inPart = all.filter((place) => place.part === part);
      const texts: Occurrence[] = [];
      for (const place of inPart) {
        for (const key of place.allowed.split(", ")) has.add(`${key} among ${place.allowed}`);
        for (const { key, value } of place.node.entries.values()) {
          uses.add(`${key} among ${place.allowed}`);
          if (value.kind === "text") texts.push({ place, key, value });
        }
      }
      for (const [{ key, value }, words] of wordsAt(texts)) {
        for (const word of words) has.add(`${key}: ${word} of ${words.join(" ")}`);
        uses.add(`${key}: ${value.value} of ${words.join(" ")}`);
      }
    }
  }
  return { has, uses };
}
