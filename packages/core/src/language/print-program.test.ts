import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Span } from "../source/span.ts";
import type { Program } from "./ast.ts";
import { indexHeredocLines } from "./heredoc-lines.ts";
import { isReservedLabel } from "./labels.ts";
import { parse } from "./parse.ts";
import { OPERATORS } from "./parse-steps.ts";
import { printProgram } from "./print-program.ts";
import { runKind } from "./value-run.ts";

/** Nodes as the printer takes them; it does not read spans, so they have none here. */
interface Tree {
  readonly kind: string;
}
const node = <Fields extends object>(kind: string, fields: Fields): Tree & Fields => ({
  kind,
  ...fields,
});
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
const free = nameText.filter((text) => !isReservedLabel(text)).map(named);
const path = fc
  .tuple(
    name,
    options(
      fc.oneof(
        dotName,
        fc.nat(99).map((n) => named(String(n))),
      ),
      2,
    ),
  )
  .map(([first, rest]) => node("Path", { segments: [first, ...rest] }));

const cleanText = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^[ -~\n\t\r]{0,40}$/),
  )
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
const word = wordRaw.map((raw) => node("WordValue", { raw }));
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

const values = fc.letrec<Record<"value" | "list" | "object" | "made" | "arg", Tree>>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, literal, word, tie("list"), tie("object"), tie("made")),
  list: options(tie("value")).map((items) => node("ListValue", { items })),
  object: options(fc.record({ key: fc.oneof(name, string), value: tie("value") })).map((entries) =>
    node("ObjectValue", { entries }),
  ),
  made: fc
    .record({ name, args: options(tie("arg")) })
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
    { name, fn: fc.constantFrom("count", "sum", "avg", "min", "max"), path },
    { requiredKeys: ["fn", "path"] },
  ),
);
const laterKey = path.filter(
  ({ segments }) => segments.length > 1 || segments[0]?.text !== "count",
);
const step: fc.Arbitrary<Tree> = fc.oneof(
  braces.map((pred) => node("Filter", { pred })),
  dotName.map((text) => node("Nav", { name: text })),
  fc
    .record({ name: dotName.filter(({ text }) => text !== "filter"), pred: braces })
    .map((fields) => node("Nav", fields)),
  fc
    .record({ name: dotName.filter(({ text }) => !OPERATORS.includes(text)), args })
    .map((fields) => node("Call", fields)),
  count.map((n) => node("Limit", { n })),
  count.map((n) => node("PageSize", { n })),
  fc.constant(node("Singleton", {})),
  some(fc.record({ path, desc: fc.boolean() })).map((keys) => node("Sort", { keys })),
  some(agg).map((aggs) => node("Aggregate", { aggs })),
  fc
    .record({ first: path, rest: options(laterKey), aggs: options(agg) })
    .map(({ first, rest, aggs }) => node("GroupBy", { paths: [first, ...rest], aggs })),
  options(path).map((paths) => node("Distinct", { paths })),
  some(path).map((paths) => node("Project", { paths })),
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
  .record({ name: dotName.filter(({ text }) => !OPERATORS.includes(text)), args })
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

const statement: fc.Arbitrary<Tree> = fc.oneof(
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
const program = fc
  .oneof(fc.array(statement, { minLength: 1, maxLength: 4 }), fc.tuple(continuation))
  .map((statements) => node("Program", { statements }));

function withoutSpans(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutSpans);
  if (typeof tree !== "object" || tree === null) return tree;
  const fields = Object.entries(tree).filter(([key]) => key !== "span");
  return Object.fromEntries(fields.map(([key, child]) => [key, withoutSpans(child)]));
}

describe("LANG-015: parse(print(t)) = t", () => {
  it("for any tree", () => {
    fc.assert(
      fc.property(program, (tree) => {
        const text = printProgram(tree as unknown as Program);
        const parsed = parse(text);
        expect(parsed.diagnostics).toEqual([]);
        expect(withoutSpans(parsed.program)).toEqual(tree);
      }),
      { numRuns: 3000 },
    );
  });

  it("prints what it read of printed text without a change", () => {
    fc.assert(
      fc.property(program, (tree) => {
        const text = printProgram(tree as unknown as Program);
        expect(printProgram(parse(text).program)).toBe(text);
      }),
    );
  });

  it("refuses a tree that is in error", () => {
    expect(() => printProgram(parse("Boat.limit(0)").program)).toThrow("in error");
  });
});

/** Every node with the span of the node around it. */
function* nested(tree: unknown, around: Span): Generator<{ node: Spanned; around: Span }> {
  if (typeof tree !== "object" || tree === null) return;
  const own = "span" in tree ? (tree as Spanned) : undefined;
  if (own !== undefined) yield { node: own, around };
  for (const [key, child] of Object.entries(tree)) {
    if (key !== "span") yield* nested(child, own?.span ?? around);
  }
}

interface Spanned {
  readonly kind?: string;
  readonly text?: string;
  readonly raw?: string;
  readonly span: Span;
}

describe("LANG-003: every node carries its span", () => {
  it("inside that of the node around it; names and bare values stand there as they are", () => {
    fc.assert(
      fc.property(program, (tree) => {
        const text = printProgram(tree as unknown as Program);
        const { program: read } = parse(text);
        for (const { node: found, around } of nested(read, read.span)) {
          const { start, end } = found.span;
          expect(start >= around.start && end <= around.end && start < end).toBe(true);
          const there = text.slice(start, end);
          expect((found.kind === "Name" ? found.text : found.raw) ?? there).toBe(there);
        }
      }),
    );
  });
});

const kinds = (tree: unknown): readonly string[] => {
  if (Array.isArray(tree)) return tree.flatMap(kinds);
  if (typeof tree !== "object" || tree === null) return [];
  const own = (tree as { kind?: string }).kind;
  return [...(own === undefined ? [] : [own]), ...Object.values(tree).flatMap(kinds)];
};

describe("ERR-004: what is in error costs one statement", () => {
  const faulty = fc.constantFrom(
    "Boat owner",
    "Boat{a==1}",
    "Boat{a=1 b=2}",
    "Boat{a=1",
    "Boat(a, b",
    "x = Boat{a=[1, 2}",
    "Boat.limit(5))",
    'Boat("b1',
    "Boat{name=Sea Star}",
    "<<",
    "Boat <<<NONE",
  );

  it("statements around a faulty line are read as without it", () => {
    fc.assert(
      fc.property(fc.array(statement, { minLength: 1, maxLength: 3 }), faulty, (before, line) => {
        const after = [...before].reverse();
        const text = (trees: readonly Tree[]) => {
          return printProgram(node("Program", { statements: trees }) as unknown as Program);
        };
        const { program: read, diagnostics } = parse(`${text(before)}\n${line}\n${text(after)}`);
        expect(diagnostics).toHaveLength(1);
        const statements = withoutSpans(read.statements) as readonly unknown[];
        expect(statements.slice(0, before.length)).toEqual(before);
        expect(statements.slice(-after.length)).toEqual(after);
      }),
      { numRuns: 1000 },
    );
  });

  it("a damaged program has a tree, and an error wherever the tree is in error", () => {
    const damage = fc.record({
      at: fc.nat(400),
      drop: fc.nat(3),
      insert: fc.constantFrom(
        "",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\n",
        '"',
        "'",
        "=",
        ".",
        "<<",
        " x ",
        ";",
        "ø",
      ),
    });
    fc.assert(
      fc.property(program, fc.array(damage, { minLength: 1, maxLength: 3 }), (tree, damages) => {
        let text = printProgram(tree as unknown as Program);
        for (const { at, drop, insert } of damages) {
          text =
            text.slice(0, at % (text.length + 1)) +
            insert +
            text.slice((at % (text.length + 1)) + drop);
        }
        const { program: read, diagnostics } = parse(text);
        expect(kinds(read).includes("Bad") && diagnostics.length === 0).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});
