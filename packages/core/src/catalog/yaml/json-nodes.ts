import { numberValue } from "../../base/decimal.ts";
import { stringEnd } from "../../base/json-text.ts";
import type { TextRange } from "../../base/span.ts";
import { type MapEntry, measure, type YamlNode } from "./node.ts";
import { HALF_PAIR, MAX_NODES, MAX_YAML_DEPTH } from "./read-yaml.ts";

/** A map or list that is still being read. */
interface Open {
  readonly start: number;
  /** null in a list */
  readonly entries: Map<string, MapEntry> | null;
  readonly items: YamlNode[];
  /** the key whose value is due */
  key: { readonly text: string; readonly at: TextRange } | null;
}

/** Ends the reading of a text that the reader of YAML has to see. */
class NotPlain extends Error {}

const notPlain = (): never => {
  throw new NotPlain();
};

const JSON_START = /^\s*\{/;
const BLANKS = /[\t\n\r ]*/y;
const PLAIN_SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** What may stand next. */
type Due = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

/**
 * The nodes of a text that is JSON, the same that the reader of YAML makes of it and where it says they are, at a
 * small part of its time and memory. Null for every other text, and for one in which something is to be told (CAT-004,
 * CAT-012, CAT-013): that is read as YAML, which tells it.
 */
export function jsonNodes(text: string): YamlNode | null {
  if (!JSON_START.test(text)) return null;
  try {
    return new JsonReader(text).root();
  } catch (thrown) {
    if (thrown instanceof NotPlain) return null;
    throw thrown;
  }
}

class JsonReader {
  readonly #text: string;
  readonly #open: Open[] = [];
  #root: YamlNode | null = null;
  #due: Due = "value";
  #at = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  root(): YamlNode {
    for (this.#skipBlanks(); this.#at < this.#text.length; this.#skipBlanks()) this.#readOne();
    return this.#due === "nothing" && this.#root !== null ? this.#root : notPlain();
  }

  #skipBlanks(): void {
    this.#at = endOf(BLANKS, this.#text, this.#at);
  }

  #readOne(): void {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#begin(new Map());
      case "[":
        return this.#begin(null);
      case "}":
        return this.#end(true);
      case "]":
        return this.#end(false);
      case ",":
        if (this.#due !== "comma or end") notPlain();
        this.#due = this.#open.at(-1)?.entries === null ? "value" : "key";
        this.#at += 1;
        return;
      case ":":
        if (this.#due !== "colon") notPlain();
        this.#due = "value";
        this.#at += 1;
        return;
      case '"':
        return this.#readText();
      default:
        return this.#readPlain();
    }
  }

  #begin(entries: Open["entries"]): void {
    this.#demandValueDue();
    this.#open.push({ start: this.#at, entries, items: [], key: null });
    if (this.#open.length > MAX_YAML_DEPTH) notPlain();
    this.#due = entries === null ? "value or end" : "key or end";
    this.#at += 1;
  }

  #end(isMap: boolean): void {
    const mayEnd =
      this.#due === "comma or end" || this.#due === (isMap ? "key or end" : "value or end");
    const { start, entries, items } = this.#open.pop() ?? notPlain();
    if (!mayEnd || (entries !== null) !== isMap) notPlain();
    this.#at += 1;
    const at = { start, end: this.#at };
    const children = entries === null ? items : [...entries.values()].map(({ value }) => value);
    const { size, height } = measure(children);
    if (size > MAX_NODES || height > MAX_YAML_DEPTH) notPlain();
    this.#add(
      entries === null
        ? { kind: "list", at, items, size, height }
        : { kind: "map", at, entries, duplicates: [], size: size + entries.size, height },
    );
  }

  /** A key or a text. */
  #readText(): void {
    const at = this.#range(stringEnd(this.#text, this.#at + 1) + 1);
    const value = textOf(this.#text.slice(at.start, at.end));
    if (this.#due !== "key" && this.#due !== "key or end") {
      this.#demandValueDue();
      this.#add({ kind: "text", at, value, size: 1, height: 1 });
      return;
    }
    const parent = this.#open.at(-1) ?? notPlain();
    parent.key = { text: value, at };
    this.#due = "colon";
  }

  /** A number, a boolean or null. */
  #readPlain(): void {
    this.#demandValueDue();
    const at = this.#range(endOf(PLAIN_SCALAR, this.#text, this.#at));
    const source = this.#text.slice(at.start, at.end);
    const base = { at, size: 1, height: 1 };
    if (source === "null") return this.#add({ ...base, kind: "null" });
    if (source === "true" || source === "false")
      return this.#add({ ...base, kind: "boolean", value: source === "true" });
    const value = numberValue(source) ?? notPlain();
    this.#add({ ...base, kind: "number", value, source });
  }

  #demandValueDue(): void {
    if (this.#due !== "value" && this.#due !== "value or end") notPlain();
  }

  /** The place from here to there, where reading goes on. */
  #range(end: number): TextRange {
    if (end <= this.#at) notPlain();
    const at = { start: this.#at, end };
    this.#at = end;
    return at;
  }

  #add(node: YamlNode): void {
    // Seen at once, not where the list ends that holds them: a text may have fifty times as many.
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) notPlain();
    const parent = this.#open.at(-1);
    this.#due = parent === undefined ? "nothing" : "comma or end";
    if (parent === undefined) {
      this.#root = node;
      return;
    }
    if (parent.entries === null) {
      parent.items.push(node);
      return;
    }
    const { text: key, at: keyAt } = parent.key ?? notPlain();
    if (parent.entries.has(key)) notPlain();
    parent.entries.set(key, { key, keyAt, value: node });
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** What a text in quotes says. */
function textOf(quoted: string): string {
  try {
    const text = JSON.parse(quoted) as string;
    return HALF_PAIR.test(text) ? notPlain() : text;
  } catch {
    return notPlain();
  }
}
