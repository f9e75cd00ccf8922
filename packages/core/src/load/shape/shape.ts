import type { TextRange } from "../../source/span.ts";
import type { Json } from "../../values/json.ts";
import type { KeyPath } from "../key-path.ts";
import type { Report } from "../reporter.ts";
import type { YamlNode } from "../yaml/node.ts";
import type { Form } from "./form.ts";

/** Where a node was found: the keys to it, and the key or place that a missing part is reported at. */
export interface Place {
  readonly path: KeyPath;
  readonly keyAt: TextRange;
}

/** What readers need besides the node: where to report, and which functions are registered (RUN-105). */
export interface ReadContext {
  readonly report: Report;
  readonly functions: readonly string[];
  /** A place as a message names it: `line:column`. */
  readonly position: (at: TextRange) => string;
}

/**
 * One form of the catalog formats. `read` gives the value in its long form (synonyms, shorthands and
 * defaults resolved) or undefined after reporting why not; `canonical` gives the digest's form of it,
 * without keys that equal their default (RUN-170).
 */
export interface Shape<T> {
  /** What is allowed here, as CAT-003 says it. */
  readonly expected: string;
  /** What it takes, as data. */
  readonly form: Form;
  read(node: YamlNode, place: Place, context: ReadContext): T | undefined;
  canonical(value: T): Json;
}

/** What a shape gives. */
export type Read<S> = S extends Shape<infer T> ? T : never;
