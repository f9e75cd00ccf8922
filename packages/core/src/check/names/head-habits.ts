import type { Edit } from "../../diagnostics/diagnostic.ts";
import { resolveEntity } from "../../federation/resolve-entity.ts";
import type { Name } from "../../language/ast-names.ts";
import { entitiesNamed } from "../../symbols/entities-named.ts";
import { entitySymbol } from "../../symbols/symbol-of.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";

/** What a head of another language is here: what to write, and the edits where they leave no doubt. */
export interface HeadHabit {
  readonly form: string;
  readonly edits?: readonly Edit[];
}

/** Functions around rows, and the step that does the same. */
const AROUND: Readonly<Record<string, string>> = {
  len: ".aggregate(n=count)",
  count: ".aggregate(n=count)",
  print: "",
  show: "",
  list: "",
};

const ARGUMENT = /^[ \t]*\([ \t]*([A-Za-z_]\w*)[ \t]*\)/;
const MEMBER = /^\.([A-Za-z_]\w*)/;
const CALL = /^[ \t]*\(/;

/** Reads an unknown head as what other languages mean by it, or null. */
export function headHabit(context: CheckContext, name: Name): HeadHabit | null {
  const behind = context.source.text.slice(name.span.end, name.span.end + 200);
  return (
    aroundRows(name, behind) ??
    catalogPrefix(context, name, behind) ??
    bareMethod(context, name, behind)
  );
}

/** `len(Boat)`, `print(boats)`. */
function aroundRows({ text, span }: Name, behind: string): HeadHabit | null {
  const step = Object.hasOwn(AROUND, text) ? AROUND[text] : undefined;
  const found = ARGUMENT.exec(behind);
  const rows = found?.[1];
  if (step === undefined || rows === undefined) return null;
  const end = span.end + (found?.[0].length ?? 0);
  const edits = [{ span: { start: span.start, end }, replacement: `${rows}${step}` }];
  return { form: `write ${rows}${step}`, edits };
}

/** `quay.Boat`: entities stand without their catalog, or as their symbol where two catalogs have one. */
function catalogPrefix(
  context: CheckContext,
  { text, span }: Name,
  behind: string,
): HeadHabit | null {
  const { catalogs, symbols } = context.exposure;
  const member = MEMBER.exec(behind)?.[1];
  if (member === undefined || !catalogs.has(text)) return null;
  const keys = resolveEntity(catalogs, symbols.entities, member);
  const key = keys.find(({ entryId }) => entryId === text);
  if (key === undefined) return null;
  const meant = entitiesNamed(context.exposure, member);
  const plain =
    meant.length === 1 && meant[0] === key ? member : (entitySymbol(symbols, key) ?? member);
  const edits = [
    { span: { start: span.start, end: span.end + 1 + member.length }, replacement: plain },
  ];
  return { form: `write ${plain}: entities stand without their catalog`, edits };
}

/** `rows => ping()`: the method is called on the row at hand. */
function bareMethod(context: CheckContext, { text, span }: Name, behind: string): HeadHabit | null {
  const key = context.cursor?.rows.type.entity ?? null;
  if (key === null || !CALL.test(behind)) return null;
  if (!usableCapabilities(context, key).some(({ label }) => label === text)) return null;
  const edits = [{ span: { start: span.start, end: span.start }, replacement: "_." }];
  return { form: `call it on the row: _.${text}(…)`, edits };
}
