import { arbitraryGrownText } from "@plasm/testkit";
import fc from "fast-check";

/** A command line with all that it reads: files beside it, standard input, what its server answers. */
export interface CommandLine {
  readonly args: readonly string[];
  /** the files that are drawn, by path */
  readonly files: Readonly<Record<string, string>>;
  readonly input: string;
  readonly answer: { readonly type: string; readonly status: number; readonly text: string };
}

/** Parts of documents, catalogs, answers and arguments. */
const PIECES: readonly string[] = [
  "API:Entity ",
  "--strict",
  "-e ",
  "entity Boat.",
  '{"a":1},',
  '{"a":1}\n',
  '{"_meta":{"plasm":{}}}\n',
  "data: {}\n\n",
  "data: a\n",
  "id: 1\nevent: a\n",
  "\r",
  "/a/{b}",
  "rename: ",
  "- a\n",
  "a:\n ",
  "- - ",
  "&a ",
  "*a ",
  "!a ",
  "<p>",
  "$ref: '#/a'\n",
  "2026-01-05T",
];

const text = arbitraryGrownText(PIECES);

/** Where a text that grows may stand: between what makes it a JSON or YAML text of its kind. */
const inPlaces = (...places: readonly (readonly [before: string, behind: string])[]) =>
  fc
    .tuple(fc.constantFrom(...places, ["", ""] as const), text)
    .map(([[before, behind], grown]) => before + grown + behind);

const inJson = text.map((grown) => JSON.stringify(grown).slice(1, -1));
const jsonPlaces = (...places: readonly (readonly [before: string, behind: string])[]) =>
  fc
    .tuple(fc.constantFrom(...places), fc.oneof(inJson, text))
    .map(([[before, behind], grown]) => before + grown + behind);

const DOCUMENT =
  '"info":{"title":"Harbour","version":"1"},"servers":[{"url":"https://api.example.com"}]';
const document = fc.oneof(
  jsonPlaces(
    [`{"openapi":"3.1.0",${DOCUMENT},"paths":{"/`, '":{"get":{"responses":{}}}}}'],
    [
      `{"openapi":"3.1.0",${DOCUMENT},"paths":{"/a/{id}":{"get":{"operationId":"`,
      '","responses":{}}}}}',
    ],
    [
      `{"openapi":"3.1.0",${DOCUMENT},"paths":{"/a/{id}":{"get":{"responses":{"200":{"description":"`,
      '"}}}}}}',
    ],
    ['{"openapi":"3.1.0","paths":', "}"],
    ['{"swagger":"2.0","paths":{"/a":', "}}"],
  ),
  inPlaces(["openapi: 3.1.0\npaths: ", "\n"], ["openapi: ", "\n"]),
);
const domain = inPlaces(
  ["version: 1\nentities:\n  Boat: { description: ", " }\n"],
  ["version: 1\nentities: {", "}\n"],
  ["version: 1\ncapabilities:\n  ", ": {}\n"],
);
const answerText = fc.oneof(
  text,
  jsonPlaces(
    ['{"results":[{"rows":[{"a":"', '"}]}],"_meta":{"plasm":{}}}'],
    ['{"type":"urn:problem:plasm-bad-request","title":"a","status":400,"detail":"', '"}'],
    ['{"a":"', '"}\n{"_meta":{"plasm":{}}}\n'],
  ),
);
const answer = fc.record({
  type: fc.constantFrom(
    "application/json",
    "application/x-ndjson",
    "text/plain",
    "text/event-stream",
    "application/problem+json",
  ),
  status: fc.constantFrom(200, 200, 200, 303, 400, 503),
  text: answerText,
});

/** Options of `plasm run` as a shell gives them, with one that holds the text. */
const runArgs = text.chain((grown) =>
  fc.constantFrom<readonly string[]>(
    ["run", "-e", grown],
    ["run", "-e", "Boat", "--format", "ndjson"],
    ["run", "-e", "Boat", "--format", "json"],
    ["run", "-e", "Boat", "--mode", "plan"],
    ["run", "-f", "file"],
    ["run", "--commit", grown],
    ["run", "-e", "Boat", "--max-rows", grown],
    ["run", "-e", "Boat", "--format", grown],
    ["search", grown],
    ["search", "boats", "--limit", grown],
    ["context", "--new", grown],
    ["context", "--new", ...grown.split(" ").slice(0, 100)],
    ["operations", grown],
    ["approvals", grown],
    ["catalog", "show", grown],
    ["completion", grown],
    [grown],
    [`--${grown}`],
    ["catalog", grown],
    ["catalog", "init", "made", "--api", "file", "--only", grown],
    ["catalog", "init", "made", "--api", "file", "--server", grown],
    ["catalog", "init", "made", "--api", "file", "--overlay", "overlay"],
    ["catalog", "init", "made", "--api", "-"],
    ["catalog", "init", "made", "--api", "file"],
    ["catalog", "validate", "catalog"],
    ["catalog", "validate", "catalog", "--strict", "--json"],
  ),
);

const nothing = { type: "application/json", status: 200, text: "{}" };

/** Any command line that ends by itself, one thing of it as long as can be. */
export const arbitraryCommandLine: fc.Arbitrary<CommandLine> = runArgs.chain((args) => {
  const [command = "", inner = ""] = args;
  const files: fc.Arbitrary<Record<string, string>> =
    command !== "catalog"
      ? text.map((file): Record<string, string> => (args.includes("-f") ? { file } : {}))
      : inner === "validate"
        ? fc.oneof(
            domain.map((one): Record<string, string> => ({
              "catalog/domain.yaml": one,
              "catalog/mappings.yaml": "{}\n",
            })),
            domain.map((one): Record<string, string> => ({
              "catalog/domain.yaml": "version: 1\nentities: {}\ncapabilities: {}\n",
              "catalog/mappings.yaml": one,
            })),
          )
        : fc.record({ file: document, overlay: domain });
  const answers = command === "catalog" ? fc.constant(nothing) : answer;
  const input = args.includes("-") ? document : fc.constant("");
  return fc.record({ args: fc.constant(args), files, input, answer: answers });
});
