import { ACTING_TEXT, type HostileInput, PROTOTYPE_NAMES, utf16 } from "./hostile-input.ts";

const lines = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join("\n");

const HEAD = "version: 1\nhttp_backend: https://api.example.com\n";
const VALUES = "values: { text: { type: string, string_semantics: short } }\n";
const ID = "id_field: id, fields: { id: { value_ref: text } }";
const GET = "capabilities: { thing_query: { kind: query, entity: Thing } }\n";

/** A domain whose one entity says or has something more. */
const having = (more: string, entities = ""): string =>
  `${HEAD}${VALUES}entities:\n  Thing: { ${ID}${more} }\n${entities}${GET}`;

const entitiesOf = (names: readonly string[]): string =>
  names.map((name) => `  ${JSON.stringify(name)}: { ${ID} }\n`).join("");

/** Domain files; beside each stands a mapping of `thing_query`. */
export const HOSTILE_DOMAINS: readonly HostileInput[] = [
  { name: "brackets without end", content: "[".repeat(3_000_000), said: /^CAT013 .*depth 100/s },
  { name: "braces without end", content: "{a: ".repeat(500_000), said: /^CAT013 .*depth 100/s },
  { name: "closing brackets", content: "]".repeat(300_000), said: /^CAT012 / },
  { name: "lists in one line", content: "- ".repeat(500_000), said: /^CAT013 .*depth 100/s },
  { name: "quotes without end", content: '"'.repeat(100_001), said: /^CAT012 / },
  { name: "anchors without end", content: "&a ".repeat(100_000), said: /^CAT012 / },
  { name: "tags without end", content: "!a ".repeat(100_000), said: /^CAT012 / },
  { name: "documents without end", content: "--- a\n".repeat(100_000), said: /^CAT012 / },
  { name: "directives without end", content: "%YAML 1.2\n".repeat(50_000), said: /^CAT012 / },
  { name: "empty lines alone", content: "\n".repeat(200_000), said: /^CAT003 .*an empty file/s },
  { name: "one comment", content: `#${"x".repeat(1_000_000)}`, said: /^CAT003 .*an empty file/s },
  {
    name: "a bomb of aliases",
    content: lines(12, (n) =>
      n === 0 ? "a0: &a0 [x]" : `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`,
    ),
    said: /^CAT013 .*1000000 nodes/s,
  },
  { name: "an alias of itself", content: "a: &a [*a, *a]\n", said: /^CAT012 .*inside its own/s },
  {
    name: "aliases of one anchor",
    content: `${having("")}x-a: &a {b: [c]}\nx-b: [${"*a,".repeat(20_000)}]\n`,
  },
  { name: "a key many times", content: having("") + "version: 1\n".repeat(5_000), said: /CAT004/ },
  {
    name: "two thousand unknown keys",
    content: having("") + lines(2_000, (n) => `key${n}: 1`),
    said: /CAT001 .* more not shown/s,
  },
  {
    name: "prototype names as keys",
    content: having("") + PROTOTYPE_NAMES.map((name) => `"${name}": {a: 1}\n`).join(""),
    said: /CAT001 /,
  },
  {
    name: "prototype names as entities",
    content: having("", entitiesOf(PROTOTYPE_NAMES)),
    said: /CAT017 /,
  },
  {
    name: "prototype names as references",
    content: having(`, description: a`).replaceAll("value_ref: text", "value_ref: __proto__"),
    said: /CAT005 /,
  },
  {
    name: "a description of a million",
    content: having(`, description: "${"a b ".repeat(250_000)}"`),
  },
  {
    name: "a name of a million",
    content: having("", entitiesOf(["x".repeat(1_000_000)])),
    said: /CAT/,
  },
  {
    name: "a number of a million digits",
    content: having(`, description: ${"9".repeat(1_000_000)}`),
    said: /CAT012 .*no JSON number/s,
  },
  {
    name: "hexadecimal without end",
    content: `version: 0x${"f".repeat(300_000)}\n`,
    said: /CAT012 .*no JSON number/s,
  },
  { name: "a small exponent", content: `version: 1e-${"9".repeat(50_000)}\n`, said: /CAT/ },
  {
    name: "wrong types everywhere",
    content: `version: []\nhttp_backend: {}\nvalues: 1\nentities: [a]\ncapabilities: true\nauth: 1\nviews: x\n`,
    said: /CAT003 /,
  },
  {
    name: "controls and turned text",
    content: having(`, description: ${JSON.stringify(ACTING_TEXT)}`).replace(
      "kind: query",
      `kind: ${JSON.stringify(ACTING_TEXT)}`,
    ),
    said: /CAT002 /,
  },
  {
    name: "raw escapes",
    content: having(", description: a\u001b[2Jb\u0000c\u0007"),
    said: /CAT012 /,
  },
  { name: "half a pair", content: having(', description: "\\ud800"'), said: /CAT012 .*surrogate/s },
  { name: "a mark at its beginning", content: `\ufeff${having("")}` },
  { name: "UTF-16", content: utf16(having("")), said: /CAT011 .*not UTF-8/s },
  { name: "bytes of zero", content: new Uint8Array(300_000), said: /CAT/ },
  {
    name: "random bytes",
    content: Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 256),
    said: /CAT011 .*not UTF-8/s,
  },
  { name: "broken off", content: having("").slice(0, 150), said: /CAT012 / },
  {
    name: "lines that end as on old machines",
    content: having("").replaceAll("\n", "\r"),
    said: /CAT/,
  },
  {
    name: "tabs",
    content: having("").replaceAll("  ", "\t"),
    said: /CAT012 .*indent with blanks/s,
  },
];
