import type { OfferedName } from "../parts/code-editor.ts";
import type { SavedProgram } from "../records.ts";

/** What a session teaches, as an editor offers it. */
export interface TaughtName {
  readonly name: string;
  readonly kind:
    | "entity"
    | "method"
    | "column"
    | "value"
    | "step"
    | "function"
    | "label"
    | "program";
  /** what the table says of it */
  readonly about: string;
}

/** The steps and functions of the language; they are the same in every session. */
const STEPS: Readonly<Record<string, string>> = {
  filter: ".filter{condition}",
  sort: ".sort(column desc)",
  limit: ".limit(n)",
  page_size: ".page_size(n)",
  distinct: ".distinct(column)",
  aggregate: ".aggregate(n=count, t=sum(column))",
  group_by: ".group_by(column, n=count)",
  singleton: ".singleton()",
  join: ".join(b, column=column)",
  left_join: ".left_join(b, column=column)",
};
const FUNCTIONS: Readonly<Record<string, string>> = {
  count: "rows",
  sum: "of a column",
  avg: "of a column",
  min: "of a column",
  max: "of a column",
  exists: "exists(column)",
  today: "this day",
};

const LANGUAGE: readonly TaughtName[] = [
  ...Object.entries(STEPS).map(([name, about]) => ({ name, kind: "step" as const, about })),
  ...Object.entries(FUNCTIONS).map(([name, about]) => ({ name, kind: "function" as const, about })),
];

/** Words that a column may have alone: `moored|sailing|lost`. */
const CHOICES = /^[\w-]+(\|[\w-]+)+(?= |$)/;
const COLUMN = /^([\w-]+)(?: \/ [^\t]*)?$/;
const ENTITY = /^([A-Za-z_][\w-]*)(?=[[({~.])/;
const METHOD = /\.([A-Za-z_][\w-]*)/g;

function namesOfRow(code: string, about: string): readonly TaughtName[] {
  const [, column] = COLUMN.exec(code) ?? [];
  if (column !== undefined) {
    const [choices = ""] = CHOICES.exec(about) ?? [];
    const values = choices === "" ? [] : choices.split("|");
    return [
      { name: column, kind: "column", about },
      ...values.map((name) => ({ name, kind: "value" as const, about: `${column}: ${choices}` })),
    ];
  }
  const [, entity] = ENTITY.exec(code) ?? [];
  if (entity === undefined) return [];
  // What stands in brackets are its arguments, which have rows of their own.
  const path = code.slice(entity.length).replaceAll(/\([^)]*\)?|\[[^\]]*\]?|\{[^}]*\}?/g, "");
  const methods = [...path.matchAll(METHOD)].map(([, name = ""]) => name);
  return [
    { name: entity, kind: "entity", about: methods.length === 0 ? about : "" },
    ...methods.map((name) => ({ name, kind: "method" as const, about })),
  ];
}

/** The names that the tables of a session teach, each kind of each once, and those of the language. */
export function namesInPrompt(prompt: string): readonly TaughtName[] {
  const rows = [...prompt.matchAll(/```tsv\n([\s\S]*?)```/g)].flatMap(([, table = ""]) =>
    table.split("\n").slice(1),
  );
  const names = new Map<string, TaughtName>();
  for (const row of rows) {
    const [code = "", about = ""] = row.split("\t");
    for (const one of namesOfRow(code, about)) {
      const key = `${one.kind} ${one.name}`;
      if ((names.get(key)?.about ?? "") === "") names.set(key, one);
    }
  }
  return [...names.values(), ...LANGUAGE];
}

/** Saved programs, which a program calls as `s.NAME(…)` (SAV-13). */
export const programNames = (
  programs: readonly Pick<SavedProgram, "name" | "description" | "parameters">[],
): readonly TaughtName[] =>
  programs.map(({ name, description, parameters }) => ({
    name,
    kind: "program",
    about: `(${parameters.map((one) => one.name).join(", ")})${description === "" ? "" : ` ${description}`}`,
  }));

const LABEL = /^[ \t]*([A-Za-z_]\w*)[ \t]*=(?!=)/gm;

/** The names that a program itself gives to its statements. */
export function labelsIn(program: string): readonly TaughtName[] {
  const names = new Set([...program.matchAll(LABEL)].map(([, name = ""]) => name));
  return [...names].map((name) => ({ name, kind: "label", about: "of this program" }));
}

const AFTER_S = /(?<![\w.])s\.[\w-]*$/;

/** Those that may stand at a place: a saved program after `s.`, a step, a method or a column after a dot, anything else elsewhere. */
export function namesAt(names: readonly TaughtName[], before: string): readonly TaughtName[] {
  const isShadowed = names.some(({ kind, name }) => name === "s" && kind !== "column");
  const programs = isShadowed ? [] : names.filter(({ kind }) => kind === "program");
  if (programs.length > 0 && AFTER_S.test(before)) return programs;
  const isAfterDot = /\.[\w-]*$/.test(before);
  return names
    .filter(({ kind }) =>
      isAfterDot
        ? kind === "step" || kind === "method" || kind === "column"
        : kind !== "step" && kind !== "method" && kind !== "program",
    )
    .concat(isAfterDot ? [] : programs.map((one) => ({ ...one, name: `s.${one.name}` })));
}

/** The names that may stand at a place, as the editor offers them. */
export const offersAt = (names: readonly TaughtName[], before: string): readonly OfferedName[] =>
  namesAt([...names, ...labelsIn(before)], before).map(({ name, kind, about }) => ({
    label: name,
    type: kind,
    info: about === "" ? kind : `${kind}: ${about}`,
  }));
