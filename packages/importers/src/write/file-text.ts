import {
  Document,
  isMap,
  isPair,
  isScalar,
  type Node,
  Pair,
  Scalar,
  type ScalarTag,
  YAMLMap,
  YAMLSeq,
} from "yaml";

/** A map of a file, in its order. */
export type Entries = readonly (readonly [string, unknown])[];

/** What is written in braces, on one line where it fits. */
export interface Inline {
  readonly inline: unknown;
}

export const inline = (value: unknown): Inline => ({ inline: value });

/** Values that are made when they are written, a few at a time: all of them take many times what their text does. */
export const whenWritten = <T>(
  all: Iterable<T>,
  entry: (one: T) => readonly [string, () => unknown],
): ReadonlyMap<string, () => unknown> => new Map([...all].map(entry));

/** A value with a comment before it: for people who go on with the file. */
export const remarked = (remark: string | null, value: unknown): unknown =>
  remark === null ? value : { remark, value };

/** What is no line of a comment is one: controls of a document must not end it. */
const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();

const isKind = <T extends string>(value: unknown, key: T): value is Record<T, unknown> =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

const MOST = 100;

/** About how many characters a value takes in braces. */
function lengthOf(value: unknown): number {
  if (value instanceof Map) return lengthOf(Object.fromEntries(value as Map<string, unknown>));
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + lengthOf(one) + 2, 4);
  if (typeof value !== "object" || value === null) return String(value).length;
  return Object.entries(value).reduce((sum, [key, one]) => sum + key.length + lengthOf(one) + 4, 4);
}

/** The members of what is too long for a line, each in braces of its own. */
function apartOf(value: unknown): unknown {
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, inline(one)]));
  // A list of words stays one, however many lines it has.
  if (Array.isArray(value))
    return value.every((one) => typeof one !== "object") ? new Flow(value) : value.map(inline);
  if (typeof value !== "object" || value === null) return value;
  return apartOf(new Map(Object.entries(value)));
}

/** A list in brackets. */
class Flow {
  readonly list: readonly unknown[];
  constructor(list: readonly unknown[]) {
    this.list = list;
  }
}

const PLAIN = /^[A-Za-z_]\w*$/;
const OTHER_VALUES = new Set(["null", "true", "false"]);

/** Most texts are words that are written as they are; the library looks at each for all that it could be read as. */
const word: ScalarTag = {
  tag: "tag:yaml.org,2002:str",
  default: true,
  identify: (value) =>
    typeof value === "string" && PLAIN.test(value) && !OTHER_VALUES.has(value.toLowerCase()),
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/** Maps as pairs, so that any name may be a key, and lists of what `inline` marks in braces. */
function nodeOf(document: Document, value: unknown, flow: boolean): Node {
  if (isKind(value, "inline")) {
    const within = value["inline"];
    const isShort = lengthOf(within) <= MOST;
    return nodeOf(document, isShort ? within : apartOf(within), isShort);
  }
  if (value instanceof Flow) return nodeOf(document, value.list, true);
  if (value instanceof Map) {
    const map = new YAMLMap(document.schema);
    map.flow = flow;
    map.items = [...value].map(([key, one]) => pairOf(document, String(key), one, flow));
    return map;
  }
  if (Array.isArray(value)) {
    const list = new YAMLSeq(document.schema);
    list.flow = flow;
    list.items = value.map((one) => nodeOf(document, one, flow));
    return list;
  }
  if (typeof value === "object" && value !== null) {
    return nodeOf(document, new Map(Object.entries(value)), flow);
  }
  return new Scalar(value);
}

function pairOf(document: Document, key: string, said: unknown, flow: boolean): Pair<Node, Node> {
  const value = typeof said === "function" ? (said as () => unknown)() : said;
  const isRemarked = isKind(value, "remark") && isKind(value, "value");
  const node = nodeOf(document, isRemarked ? value["value"] : value, flow);
  const name = new Scalar(key);
  if (isRemarked) name.commentBefore = ` ${oneLine(String(value["remark"]))}`;
  return new Pair(name, node);
}

/** Entries that become text at a time: the nodes of a whole file take many times what its text does. */
const AT_ONCE = 100;

/** A part of a file, which the one before goes on to. */
interface Part {
  readonly entries: Entries;
  /** it goes on with the map that the part before ends in, whose name stands there */
  readonly goesOn: boolean;
}

function* partsOf(entries: Entries): Generator<Part> {
  let open: (readonly [string, unknown])[] = [];
  for (const [key, value] of entries) {
    const isLarge = value instanceof Map && value.size > AT_ONCE;
    if (open.length > 0 && (isLarge || open.length === AT_ONCE)) {
      yield { entries: open, goesOn: false };
      open = [];
    }
    if (!isLarge) {
      open.push([key, value]);
      continue;
    }
    const all = [...(value as Map<string, unknown>)];
    for (let at = 0; at < all.length; at += AT_ONCE)
      yield { entries: [[key, new Map(all.slice(at, at + AT_ONCE))]], goesOn: at > 0 };
  }
  if (open.length > 0) yield { entries: open, goesOn: false };
}

/** The text of a part, an empty line before each key that `apart` names. */
function partText({ entries, goesOn }: Part, apart: ReadonlySet<string>): string {
  const document = new Document(new Map(), { customTags: (tags) => [word, ...tags] });
  document.contents = nodeOf(document, new Map(entries), false) as typeof document.contents;
  const [first] = entries;
  if (isMap(document.contents)) {
    for (const pair of document.contents.items) {
      if (!isPair(pair) || !isScalar(pair.key) || pair.key.value === first?.[0]) continue;
      if (apart.has(String(pair.key.value))) pair.key.spaceBefore = true;
    }
  }
  const text = document.toString({
    directives: false,
    lineWidth: 120,
    flowCollectionPadding: true,
  });
  if (goesOn) return text.slice(text.indexOf("\n") + 1);
  return first !== undefined && apart.has(first[0]) ? `\n${text}` : text;
}

/** A value as JSON, maps in their order; what people are told about it is left out. */
function jsonOf(said: unknown): string {
  const value = typeof said === "function" ? (said as () => unknown)() : said;
  if (isKind(value, "inline")) return jsonOf(value["inline"]);
  if (isKind(value, "remark") && isKind(value, "value")) return jsonOf(value["value"]);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries =
    value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}: ${jsonOf(one)}`).join(", ")}}`;
}

/** A file of JSON, a line for each key and for each entry of a large map under one. */
function jsonText(entries: Entries): string {
  const lines = entries.map(([key, value]) => {
    const members = value instanceof Map ? [...(value as Map<string, unknown>)] : null;
    const text =
      members === null
        ? jsonOf(value)
        : `{\n${members.map(([name, one]) => `${JSON.stringify(name)}: ${jsonOf(one)}`).join(",\n")}\n}`;
    return `${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/**
 * In which form a catalog is written: as YAML for people to go on with, or as JSON, which is YAML, too, and is read in
 * a small part of the time and memory.
 */
export type FileForm = "yaml" | "json";

/** A file: a head of comments, then its keys, an empty line before each that `apart` names. JSON has neither. */
export function fileText(
  form: FileForm,
  head: readonly string[],
  entries: Entries,
  apart: ReadonlySet<string>,
): string {
  return form === "json" ? jsonText(entries) : yamlText(head, entries, apart);
}

function yamlText(head: readonly string[], entries: Entries, apart: ReadonlySet<string>): string {
  const comments = head.map((line) => `# ${oneLine(line)}`.trimEnd()).join("\n");
  const parts = [...partsOf(entries)].map((part) => partText(part, apart));
  return `${comments}\n${parts.join("")}`;
}
