import fc from "fast-check";
import type { Program } from "../src/language/grammar/ast.ts";
import { indexHeredocLines } from "../src/language/grammar/strings.ts";
import { isReservedLabel } from "../src/language/grammar/parse-statement.ts";
import { JOINS, OPERATORS } from "../src/language/grammar/operators.ts";
import { isFunction } from "../src/language/grammar/functions.ts";
import { printProgram } from "../src/language/grammar/printer.ts";
import { runKind } from "../src/language/recovery/value-run.ts";
import { arbitraryText } from "./arbitrary-text.ts";

/** Nodes as the printer takes them; it does not read spans, so they have none here. */
export interface Tree {
  readonly kind: string;
}
export const node = <Fields extends object>(kind: string, fields: Fields): Tree & Fields => ({
  kind,
  ...fields,
});
const isOperator = (text: string): boolean =>
  OPERATORS.includes(text) || JOINS.some((join) => join === text);
const named = (text: string) => node("Name", { text });
const options = <Value>(arbitrary: fc.Arbitrary<Value>, maxLength = 3) =>
  fc.array(arbitrary, { maxLength });
const some = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3 });

const nameText = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
  fc.constantFrom(
    "any",
    "not",
    "in",
    "exists",
    "asc",
    "desc",
    "count",
    "limit",
    "filter",
    "e1",
    "p2",
  ),
);
const name = nameText.map(named);
const dotName = fc
  .oneof(nameText, fc.stringMatching(/^[a-z]{1,4}-[a-z0-9]{1,4}$/), fc.constant("mark-lost"))
  .map(named);
const free = nameText.filter((text) => !isReservedLabel(text) && !isFunction(text)).map(named);
const path = fc
  .tuple(
    name.filter(({ text }) => text !== "_"),
    options(
      fc.oneof(
        dotName,
        fc.nat(99).map((n) => named(String(n))),
      ),
      2,
    ),
  )
  .map(([first, rest]) => node("Path", { segments: [first, ...rest] }));

/** Any text that a string or heredoc may hold. */
export const cleanText = fc
  .oneof(arbitraryText, fc.constantFrom("", " ", "T", "END\n", "a\r\nb", "'\"\\", "{{ x }}"))
  .filter((text) => !/\p{Cs}|\0/u.test(text));
const string = cleanText.map((text) => node("StringValue", { text }));
const tag = fc.constantFrom("T", "END", "a_1");
const body = fc.tuple(tag, cleanText).filter(([closer, text]) => {
  return indexHeredocLines(text).get(closer)?.closing.length !== 1;
});
const heredoc = body.map(([closer, text]) => node("HeredocValue", { tag: closer, text }));
const number = fc
  .oneof(
    fc.constantFrom("007", "-0", "1e309", "1E-5", "12345678901234567890"),
    fc.integer().map(String),
  )
  .map((raw) => node("NumberValue", { raw }));
const date = fc
  .constantFrom(
    "2026-01-31",
    "2024-02-29T23:59",
    "2026-01-05T09:30:00.123Z",
    "0001-12-31T00:00+05:30",
  )
  .map((raw) => node("DateValue", { raw }));
const uuid = fc.uuid().map((raw) => node("UuidValue", { raw }));
const wordRaw = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.:@/-]{0,10}$/),
    fc.constantFrom("today+7d", "now", "_.id", "a.b.0"),
  )
  .filter((raw) => runKind(raw) === "word" && !["true", "false", "null"].includes(raw));
/** Words with a sign before `_.`, or behind a part of `_` or of what may be a label, are calculations (LANG-048). */
const isCalculated = (raw: string): boolean =>
  /[+/-]_\.|^_(?![A-Za-z0-9_])[^.]|^[A-Za-z_]\w*\..*[+/-]/.test(raw);
const word = wordRaw.filter((raw) => !isCalculated(raw)).map((raw) => node("WordValue", { raw }));
const placeholder = fc.constantFrom("$", "..").map((raw) => node("PlaceholderValue", { raw }));
const literal = fc.oneof(
  string,
  heredoc,
  number,
  date,
  uuid,
  placeholder,
  fc.boolean().map((value) => node("BoolValue", { value })),
  fc.constant(node("NullValue", {})),
);

const cell = fc.constantFrom("_.id", "_.a.b", "_.n").map((raw) => node("WordValue", { raw }));
const positive = fc.nat(999).map((n) => node("NumberValue", { raw: String(n) }));
const duration = fc.constantFrom("2d", "90m").map((raw) => node("DurationValue", { raw }));
const binary = (ops: readonly string[], left: fc.Arbitrary<Tree>, right: fc.Arbitrary<Tree>) =>
  fc
    .record({ op: fc.constantFrom(...ops), left, right })
    .map((fields) => node("BinaryValue", fields));
const bound = fc.option(fc.integer({ min: -9, max: 9 }));

/** Related rows under a condition, and a column of theirs (LANG-055). */
const related = fc
  .record({
    relation: cell,
    path: some(fc.constantFrom("fee", "a1").map(named)),
    value: positive,
    column: options(name),
  })
  .map(({ relation, path, value, column }) => {
    const condition = node("Compare", { path: node("Path", { segments: path }), op: "=", value });
    return node("RelatedValue", { relation, pred: node("And", { items: [condition] }), column });
  });

/** Values that are computed, of which every place takes those that are no comparison (LANG-048). */
const computed = fc.letrec<Record<"operand" | "sum" | "truth" | "call", Tree>>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 3 },
    cell,
    positive,
    string,
    tie("call"),
    fc
      .record({ operand: fc.oneof(cell, tie("call")), from: bound, to: bound })
      .map((fields) => node("SliceValue", { ...fields, single: false })),
    fc
      .record({ operand: cell, from: fc.integer({ min: -9, max: 9 }) })
      .map((fields) => node("SliceValue", { ...fields, to: null, single: true })),
    fc
      .record({ operand: cell, segments: some(cleanText.filter((text) => !/[\n\r]/.test(text))) })
      .map(({ operand, segments }) =>
        node("MemberValue", {
          operand,
          segments: segments.map((text) => node("Name", { text, quoted: true })),
        }),
      ),
  ),
  sum: fc.oneof(
    { maxDepth: 3 },
    tie("operand"),
    binary(["+", "-", "*", "/", "%"], tie("sum"), tie("sum")),
    binary(["+", "-"], tie("sum"), duration),
    fc
      .record({ operand: fc.oneof(cell, tie("call")) })
      .map((fields) => node("UnaryValue", { ...fields, op: "-" })),
  ),
  truth: fc.oneof(
    { maxDepth: 3 },
    binary(["=", "!=", "<", "<=", ">", ">=", "~"], tie("sum"), tie("sum")),
    binary(["and", "or"], tie("truth"), tie("truth")),
    fc
      .record({ operand: tie("truth") })
      .map((fields) => node("UnaryValue", { ...fields, op: "not" })),
  ),
  call: fc
    .record({
      name: fc.constantFrom("if", "round", "lower", "coalesce", "sum").map(named),
      args: some(
        fc.oneof(tie("sum"), tie("truth"), related).map((each) => node("Arg", { value: each })),
      ),
    })
    .map((fields) => node("ConstructorValue", fields)),
}));

const values = fc.letrec<Record<"value" | "list" | "object" | "made" | "arg", Tree>>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    literal,
    word,
    tie("list"),
    tie("object"),
    tie("made"),
    computed.sum,
  ),
  list: options(tie("value")).map((items) => node("ListValue", { items })),
  object: options(fc.record({ key: fc.oneof(name, string), value: tie("value") })).map((entries) =>
    node("ObjectValue", { entries }),
  ),
  made: fc
    .record({
      name: name.filter(({ text }) => text !== "not" && !isFunction(text)),
      args: options(tie("arg")),
    })
    .map((fields) => node("ConstructorValue", fields)),
  arg: fc
    .record({ name, value: tie("value") }, { requiredKeys: ["value"] })
    .map((fields) => node("Arg", fields)),
}));
const { value, list, object, arg } = values;
const args = options(arg);

const op = fc.constantFrom("=", "!=", ">", ">=", "<", "<=", "~");
const { braces } = fc.letrec<Record<"pred" | "braces" | "group", Tree>>((tie) => ({
  pred: fc.oneof(
    { maxDepth: 3 },
    fc.record({ path, op, value }).map((fields) => node("Compare", fields)),
    fc.record({ path }).map((fields) => node("Exists", fields)),
    fc
      .record({ path, list: some(value).map((items) => node("ListValue", { items })) })
      .map((fields) => node("In", fields)),
    fc.record({ path, word: fc.oneof(word, placeholder) }).map((fields) => node("In", fields)),
    fc
      .oneof(
        computed.call,
        binary(["=", "!=", "<", ">="], computed.call, computed.sum),
        binary(["in"], computed.call, list),
      )
      .map((each) => node("Test", { value: each })),
    tie("group"),
  ),
  group: fc.tuple(fc.constantFrom("And", "Or", "Not"), some(tie("pred"))).map(([kind, items]) => {
    return kind === "Not" ? node("Not", { pred: node("And", { items }) }) : node(kind, { items });
  }),
  braces: options(tie("pred")).map((items) => node("And", { items })),
}));

const count = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }).map((n) => node("NumberValue", { raw: String(n) })),
  placeholder,
);
const agg = fc.oneof(
  fc.record({ name, fn: fc.constant("count") }, { requiredKeys: ["fn"] }),
  fc.record(
    {
      name,
      fn: fc.constantFrom("count", "sum", "avg", "min", "max", "first", "last"),
      path: fc.oneof(path, computed.call, computed.truth),
    },
    { requiredKeys: ["fn", "path"] },
  ),
);
const isAggregated = (tree: Tree): boolean =>
  (tree as unknown as { name: { text: string } }).name.text === "sum";
const laterKey = path.filter(
  ({ segments }) => segments.length > 1 || segments[0]?.text !== "count",
);
const searchWord = word.filter(({ raw }) => !raw.includes(".") || raw.startsWith("_."));
const source: fc.Arbitrary<Tree> = fc.oneof(
  free.map((text) => node("NameSource", { name: text })),
  fc.record({ name: free, args }).map((fields) => node("KeySource", fields)),
  fc.record({ name: free, pred: braces }).map((fields) => node("BraceSource", fields)),
  fc
    .record(
      { name: free, text: fc.oneof(string, number, searchWord, placeholder), pred: braces },
      { requiredKeys: ["name", "text"] },
    )
    .map((fields) => node("SearchSource", fields)),
);
const heredocSearch = fc
  .record({ name: free, text: heredoc })
  .map((fields) => node("SearchSource", fields));
const side = fc.oneof(path, computed.call);
const pair = fc.record({ left: side, right: side }).map((fields) => node("JoinPair", fields));
const step: fc.Arbitrary<Tree> = fc.oneof(
  fc
    .record({
      how: fc.constantFrom("join", "left_join"),
      source: fc.oneof(source, heredocSearch),
      pairs: some(pair),
    })
    .map((fields) => node("Join", fields)),
  braces.map((pred) => node("Filter", { pred })),
  dotName.map((text) => node("Nav", { name: text })),
  fc
    .record({ name: dotName.filter(({ text }) => text !== "filter"), pred: braces })
    .map((fields) => node("Nav", fields)),
  fc
    .record({ name: dotName.filter(({ text }) => !isOperator(text)), args })
    .map((fields) => node("Call", fields)),
  count.map((n) => node("Limit", { n })),
  count.map((n) => node("PageSize", { n })),
  fc.constant(node("Singleton", {})),
  some(fc.record({ path: fc.oneof(path, computed.call), desc: fc.boolean() })).map((keys) =>
    node("Sort", { keys }),
  ),
  some(agg).map((aggs) => node("Aggregate", { aggs })),
  fc
    .record({
      first: fc.oneof(
        path,
        fc
          .record({ name, path: computed.call.filter((each) => !isAggregated(each)) })
          .map((fields) => node("NamedKey", fields)),
      ),
      rest: options(laterKey),
      aggs: options(agg),
    })
    .map(({ first, rest, aggs }) => node("GroupBy", { paths: [first, ...rest], aggs })),
  options(fc.oneof(path, computed.call)).map((paths) => node("Distinct", { paths })),
  some(path).map((paths) => node("Project", { paths })),
);

const template = body.map(([closer, text]) => node("Template", { tag: closer, body: text }));
const chain = fc.oneof(
  fc.record({ source, steps: options(step) }).map((fields) => node("Chain", fields)),
  fc.record({ source, steps: options(step), template }).map((fields) => node("Chain", fields)),
  fc
    .record({
      source: heredocSearch,
      steps: options(step).filter((steps) => steps[0]?.kind !== "Project"),
    })
    .map((fields) => node("Chain", fields)),
);
const call = fc
  .record({ name: dotName.filter(({ text }) => !isOperator(text)), args })
  .map((fields) => node("Call", fields));
const perRow = fc
  .record({ source: fc.oneof(source, heredocSearch), steps: fc.array(call, { maxLength: 1 }) })
  .map((fields) => node("Chain", fields));
const filled = object.filter(
  (tree) => (tree as unknown as { entries: unknown[] }).entries.length > 0,
);
const map = fc
  .record({ chain, body: fc.oneof(filled, perRow) })
  .map((fields) => node("Map", fields));
const plainChain = fc
  .record({ source, steps: options(step) })
  .map((fields) => node("Chain", fields));

/** One statement. */
export const arbitraryStatement: fc.Arbitrary<Tree> = fc.oneof(
  fc
    .record({
      label: free,
      node: fc.oneof(
        chain,
        map,
        fc.oneof(literal, list, object).map((data) => node("Data", { value: data })),
      ),
    })
    .map((fields) => node("Binding", fields)),
  fc
    .tuple(options(plainChain), fc.oneof(chain, map))
    .map(([first, last]) => node("Roots", { nodes: [...first, last] })),
);
const continuation = fc.oneof(
  fc
    .record(
      {
        op: fc.constant("page"),
        handle: fc.oneof(word, string),
        limit: fc.constant(node("NumberValue", { raw: "20" })),
      },
      { requiredKeys: ["op", "handle"] },
    )
    .map((fields) => node("Continuation", fields)),
  fc
    .record({ op: fc.constantFrom("wait", "cancel"), handle: fc.oneof(word, string) })
    .map((fields) => node("Continuation", fields)),
);
/** A program: up to four statements, or a continuation. */
export const arbitraryTree: fc.Arbitrary<Tree> = fc
  .oneof(fc.array(arbitraryStatement, { minLength: 1, maxLength: 4 }), fc.tuple(continuation))
  .map((statements) => node("Program", { statements }));

/** The text of a tree. */
export const printTree = (tree: Tree): string => printProgram(tree as unknown as Program);

type Members = Readonly<Record<string, unknown>>;

/** Whether two trees are one but for their spans; much cheaper than to make trees without spans. */
export function sameTree(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => sameTree(item, b[at]));
  }
  let members = 0;
  for (const key of Object.keys(a)) {
    if (key === "span") continue;
    members += 1;
    if (!sameTree((a as Members)[key], (b as Members)[key])) return false;
  }
  return Object.keys(b).filter((key) => key !== "span").length === members;
}

/** A tree as it is shown beside another. */
export function withoutSpans(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutSpans);
  if (typeof tree !== "object" || tree === null) return tree;
  const fields = Object.entries(tree).filter(([key]) => key !== "span");
  return Object.fromEntries(fields.map(([key, child]) => [key, withoutSpans(child)]));
}
