import { nameList, suggestible } from "../../diagnostics/nearest-name.ts";
import { type CatalogPart, locateNode, nodeAt } from "../catalog-file.ts";
import type { KeyPath } from "../key-path.ts";
import type { CatalogCode, MessageVariant, ParamsOf } from "../messages/catalogue.ts";
import { nearestText } from "../reporter.ts";
import { describeNode } from "../yaml/convert.ts";
import { indexLines, spanAt, spanIn } from "../../base/source.ts";
import type { TextRange } from "../../base/span.ts";
import { parseTemplate } from "../../templates/parse/parse-template.ts";
import { templateNames } from "../../templates/template-names.ts";
import type { TemplateName } from "../../templates/tree.ts";

type ReportAt = <C extends CatalogCode, V extends MessageVariant<C>>(
  path: KeyPath,
  code: C,
  variant: V,
  params: ParamsOf<C, V>,
) => void;

/** One file of a catalog as rules see it: they name places by their keys. */
export interface PartView {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Reports at the key a path ends with. */
  readonly atKey: ReportAt;
  /** Reports at the value under a path; if the file has none, at the nearest key above. */
  readonly atValue: ReportAt;
  /** Reports a name that none of the list has (CAT-005), at the value under a path. */
  readonly unknown: (path: KeyPath, kind: string, found: string, names: Iterable<string>) => void;
  /** Whether the files' readers reported an error at this path or below: rules then keep silent. */
  readonly faulty: (path: KeyPath) => boolean;
  /** Whether the file has the last key of the path. */
  readonly has: (path: KeyPath) => boolean;
  /** The place of a path's last key as messages name it, `line:column`. */
  readonly position: (path: KeyPath) => string;
  /** The place of the value under a path. */
  readonly valuePosition: (path: KeyPath) => string;
  /** What the file has under a path, as messages name it. */
  readonly found: (path: KeyPath) => string;
}

/** A nearest name and the names that are allowed, as most messages need them. */
export function choice(
  wrong: string,
  names: Iterable<string>,
): { readonly nearest: string; readonly allowed: string } {
  const all = suggestible(names);
  return { nearest: nearestText(wrong, all), allowed: nameList(all, wrong) || "none" };
}

/** Every path that leads to a fault, and the fault's own. */
const prefixesOf = (path: KeyPath): readonly string[] =>
  Array.from({ length: path.length + 1 }, (_, length) => JSON.stringify(path.slice(0, length)));

/** A part of a draft, with the faults its readers found. */
export function partView({ parsed, prefix }: CatalogPart): PartView {
  const { root, reporter, source, file } = parsed;
  const faulty = new Set(reporter.faults.flatMap(prefixesOf));
  const whole = (path: KeyPath): KeyPath => [...prefix, ...path];
  const lineColumn = (at: TextRange): string => {
    const { line, column } = spanIn(source, at.start, at.end);
    return `${line}:${column}`;
  };
  const atValue: ReportAt = (path, code, variant, params) => {
    const { key, value } = locateNode(root, whole(path));
    const at = nodeAt(root, whole(path)) === null ? key : value;
    reporter.report({ at, path: whole(path) }, code, variant, params);
  };
  return {
    file,
    atKey: (path, code, variant, params) => {
      const { key } = locateNode(root, whole(path));
      reporter.report({ at: key, path: whole(path) }, code, variant, params);
    },
    atValue,
    unknown: (path, kind, found, names) => {
      atValue(path, "CAT005", "unknown", { kind, found, ...choice(found, names) });
    },
    faulty: (path) => faulty.has(JSON.stringify(whole(path))),
    has: (path) => nodeAt(root, whole(path)) !== null,
    position: (path) => lineColumn(locateNode(root, whole(path)).key),
    valuePosition: (path) => lineColumn(locateNode(root, whole(path)).value),
    found: (path) => {
      const node = nodeAt(root, whole(path));
      return node === null ? "nothing" : describeNode(node);
    },
  };
}

/** What is wrong in a template; `place` is line:column in it. */
type TemplateFault =
  | { readonly kind: "problem"; readonly place: string; readonly problem: string }
  | {
      readonly kind: "name";
      readonly place: string;
      readonly found: string;
      readonly nearest: string;
      readonly allowed: string;
    };

/** A template as a rule sees it: its faults, and the names it reads that do exist. */
interface CheckedTemplate {
  readonly faults: readonly TemplateFault[];
  readonly names: readonly TemplateName[];
}

/** Checks that a template keeps to RUN-101 and reads no other names than those allowed. */
export function checkTemplate(text: string, allowed: readonly string[]): CheckedTemplate {
  const { template, problems } = parseTemplate(text);
  if (template === null) {
    const faults = problems.map(({ message, start }): TemplateFault => {
      return { kind: "problem", place: templatePlace(text, start), problem: message };
    });
    return { faults, names: [] };
  }
  const names = templateNames(template);
  const faults = names
    .filter(({ root, maybeSet }) => !maybeSet && !allowed.includes(root))
    .map(({ root, start }): TemplateFault => {
      const place = templatePlace(text, start);
      return { kind: "name", place, found: root, ...choice(root, allowed) };
    });
  return { faults, names: names.filter(({ root }) => allowed.includes(root)) };
}

/** An offset of a template as line:column. */
export function templatePlace(text: string, offset: number): string {
  const { line, column } = spanAt(indexLines(text), offset, offset);
  return `${line}:${column}`;
}
