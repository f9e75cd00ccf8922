import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { templateMessages } from "../../diagnostics/step-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import type { Template } from "../../language/grammar/ast.ts";
import { parseTemplate } from "../../templates/parse/parse-template.ts";
import { rewriteTemplate, type TemplateEdit } from "../../templates/template-reads.ts";
import { templateNames } from "../../templates/template-names.ts";
import { characterCount } from "../../templates/evaluate/value.ts";
import type { CheckContext } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import type { RowType } from "../types.ts";
import { reportNotYet } from "../steps/operator-forms.ts";
import type { RenderRows, Rows } from "../typed-program.ts";
import { bindPath } from "./bind-path.ts";
import {
  nameInTemplate,
  ROWS,
  type TemplateScope,
  templateScope,
  templateText,
} from "./template-scope.ts";

/** The longest template (LANG-082). */
const MAX_CHARACTERS = 65_536;

/** One row of text (LANG-061, LANG-082). */
const CONTENT: RowType = {
  card: "one",
  entity: null,
  columns: [
    { name: "content", type: { entryId: null, type: { kind: "string", semantics: "short" } } },
  ],
  open: false,
  removedBy: null,
  lostBy: "the template",
};

type Path = readonly string[];

/** A trailing heredoc: text from rows and labels, checked name by name (LANG-080, LANG-081). Null: reported. */
export function renderRows(
  context: CheckContext,
  source: Rows,
  template: Template,
): RenderRows | null {
  if (!context.features.templates) return reportNotYet(context, "template", template.span);
  const scope = templateScope(context, source, templateText(context, template));
  const length = characterCount(template.body);
  if (length > MAX_CHARACTERS) {
    const limit = `${MAX_CHARACTERS} characters`;
    const args = { what: "The template", limit, actual: length };
    context.found.add(diagnose(textMessages.tooLarge, template.span, args));
    return null;
  }
  const read = readTemplate(scope);
  if (read === null) return null;
  const { text, uses, paths } = read;
  const joined = (name: string, rows: Rows): Rows =>
    joinedRows(context, rows, [...(paths.get(name)?.values() ?? [])]);
  return {
    kind: "render",
    stage: context.stage,
    span: template.span,
    type: CONTENT,
    source: joined(ROWS, source),
    text,
    uses: new Map([...uses].map(([name, rows]) => [name, joined(name, rows)])),
  };
}

interface ReadTemplate {
  /** with wire names */
  readonly text: string;
  /** by label, in the order of the text */
  readonly uses: ReadonlyMap<string, Rows>;
  /** the columns read of what each name holds */
  readonly paths: ReadonlyMap<string, ReadonlyMap<string, Path>>;
}

function readTemplate(scope: TemplateScope): ReadTemplate | null {
  const { context, text } = scope;
  const { template, problems } = parseTemplate(text.body);
  for (const { message, start, end } of problems) {
    const span = text.span({ start, end });
    const found = diagnoseLater(templateMessages.grammar, span, () => {
      const args = { problem: message, place: text.place(start), columns: scope.columns() };
      return diagnose(templateMessages.grammar, span, args);
    });
    context.found.add(found);
  }
  if (template === null) return null;
  const uses = new Map<string, Rows>();
  const paths = new Map<string, Map<string, Path>>();
  const edits: TemplateEdit[] = [];
  let faults = 0;
  for (const name of templateNames(template)) {
    const meaning = nameInTemplate(scope, name);
    if (meaning.kind !== "rows") {
      faults += name.maybeSet && meaning.kind === "none" ? 0 : 1;
      if (meaning.kind === "problem") context.found.add(meaning.problem);
      continue;
    }
    const { rows, isList } = meaning;
    if (name.root !== ROWS) uses.set(name.root, rows);
    const bound = bindPath(scope, name, { type: rows.type, isList });
    if (bound.kind === "problem") {
      faults += 1;
      context.found.add(bound.problem);
    }
    if (bound.kind !== "column") continue;
    const known = paths.get(name.root) ?? new Map<string, Path>();
    paths.set(name.root, known.set(bound.path.join("."), bound.path));
    if (bound.edit !== null) edits.push(bound.edit);
  }
  return faults > 0 ? null : { text: rewriteTemplate(text.body, edits), uses, paths };
}
