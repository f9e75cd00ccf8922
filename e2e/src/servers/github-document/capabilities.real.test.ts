import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Call, callProgram, sourceProgram } from "./call-program.ts";
import { type DocumentEngine, openDocumentEngine, type Ran } from "./document-engine.ts";
import { GITHUB, githubCatalog, httpTemplates } from "./github-catalog.ts";
import { officialDocument, type Part } from "./official-document.ts";
import { Operations } from "./operations.ts";
import { Samples } from "./sample-value.ts";

/** What the document does not let be as it is on GitHub, and why. */
const EXCEPTIONS: Readonly<
  Record<string, { readonly status?: number; readonly diagnostic?: string }>
> = {
  // The document has no path for the root folder, which GitHub answers as any other.
  content_query: { status: 404 },
  // The document's example of a folder's contents is one file.
  content_in_folder: { diagnostic: "collection_missing" },
  // The document's example is one reaction, whichever is asked for.
  reaction_query: { diagnostic: "condition_unmet" },
  reaction_of_comment: { diagnostic: "condition_unmet" },
  // Both are accepted with 202 and a sentence that they go on, which is told.
  pullrequest_update_branch: { diagnostic: "answer_unread" },
  notification_mark_all_read: { diagnostic: "answer_unread" },
};

const official = officialDocument();
const catalog = githubCatalog();
const operations = new Operations(official.document);
const samples = new Samples(catalog, operations);
const templates = httpTemplates(catalog);
const names = [...templates.keys()];
const paths = [...templates.values()].flatMap((template) => {
  const [, path] = operations.of(template)?.name.split(" ") ?? [];
  return path === undefined ? [] : [path];
});

let dir: string;
let engine: DocumentEngine;
let run: (program: string) => Promise<Ran>;
const called = new Set<string>();

/** The catalog with a fault in one request: what the document must not let pass. */
function writeFaulty(): string {
  const faulty = join(dir, "github-faulty");
  cpSync(GITHUB, faulty, { recursive: true });
  const file = join(faulty, "mappings.yaml");
  const text = readFileSync(file, "utf8");
  const renamed = text.replaceAll(
    "[title, { type: var, name: title }]",
    "[titel, { type: var, name: title }]",
  );
  if (renamed === text) throw new Error("no title to rename");
  writeFileSync(file, renamed);
  return faulty;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "github-faulty-"));
  const directories = new Map([
    ["github", GITHUB],
    ["github-faulty", writeFaulty()],
  ]);
  engine = await openDocumentEngine(official, { catalog, directories, paths });
  run = await engine.session("github", catalog);
});
afterAll(async () => {
  await engine?.close();
  rmSync(dir, { recursive: true, force: true });
});

function callOf(name: string): Call {
  const capability = catalog.cgs.capabilities.get(name);
  const template = templates.get(name);
  if (capability === undefined || template === undefined) throw new Error(`no request of ${name}`);
  return { catalog, capability, template, operation: operations.of(template) };
}

const bodyOf = (part: Part) => operations.schema(part).properties;

/** One statement with what a capability must have, one with all it takes, unless they are the same. */
function programOf(name: string): string {
  const statements = (["required", "all"] as const).map((which) =>
    callProgram(callOf(name), samples, { which, bodyOf }),
  );
  return [...new Set(statements)].join("\n");
}

/** The mock answers with the examples of the document, whatever was sent. */
const OF_EXAMPLES = new Set(["argument_unmet", "condition_unmet", "effect_accepted"]);

test.each(names)("%s is a request that GitHub's document allows", async (name) => {
  const program = programOf(name);
  const { answer, problem, sent } = await run(program);
  const said = `${program}\n${problem?.text ?? answer?.text}\n${JSON.stringify(sent)}`;
  const { status = 200, diagnostic } = EXCEPTIONS[name] ?? {};
  const statements = program.split("\n").length;
  expect(
    sent.flatMap(({ violations }) => violations),
    said,
  ).toEqual([]);
  const method = templates.get(name)?.method;
  // What an undo puts back is read before an effect.
  const own = sent.filter((each) => method === "GET" || each.method !== "GET");
  const outcomes = own.map((each) => [each.method, each.status < 300 ? 200 : each.status]);
  const wanted = [method, status];
  expect(outcomes, said).toEqual(Array.from({ length: statements }, () => wanted));
  expect(problem === null, said).toBe(status === 200);
  const diagnostics = (answer?.meta["diagnostics"] ?? []) as readonly { readonly code: string }[];
  const all = [...new Set(diagnostics.map(({ code }) => code))];
  // RUN-188: what GitHub takes on is told, and nothing else is.
  const accepted = all.includes("effect_accepted");
  expect(accepted, said).toBe(own.some((each) => each.status === 202 && method !== "GET"));
  const codes = all.filter((code) => code === diagnostic || !OF_EXAMPLES.has(code));
  expect(codes, said).toEqual(diagnostic === undefined ? [] : [diagnostic]);
  called.add(name);
});

/** Relations by entity, but for the root folder, which has no path in the document. */
const relations = [...catalog.cgs.entities.values()].flatMap(({ name, relations: all }) => {
  const followed = [...all.keys()].filter(
    (relation) => `${name}.${relation}` !== "Repository.files",
  );
  return followed.length === 0 ? [] : [[name, followed] as const];
});

test.each(relations)(
  "relations of %s lead on by requests that the document allows: %j",
  async (entity, followed) => {
    const source = sourceProgram(entity, names.map(callOf), samples, bodyOf);
    const program = followed.map((relation) => `${source}.${relation}`).join("\n");
    const { answer, problem, sent } = await run(program);
    const said = `${program}\n${problem?.text ?? answer?.text}\n${JSON.stringify(sent)}`;
    expect(
      sent.filter(({ status, violations }) => status >= 300 || violations.length > 0),
      said,
    ).toEqual([]);
    expect(problem, said).toBeNull();
    expect(sent.length, said).toBeGreaterThan(0);
    expect(answer?.results, said).toHaveLength(followed.length);
  },
);

test("every capability of the catalog was called", () => {
  expect([...called].toSorted()).toEqual(names.toSorted());
});

test("bodies are checked: the document was corrected, and a wrong member draws a 422", async () => {
  expect(official.corrections).toBeGreaterThan(100);
  const faulty = await engine.session("github-faulty", catalog);
  const { problem, sent } = await faulty('Issue.create(owner="a", repo="b", title="x")');
  expect(problem).toMatchObject({ code: "plasm-upstream-error" });
  expect(sent).toMatchObject([{ method: "POST", path: "/repos/a/b/issues", status: 422 }]);
  expect(sent[0]?.violations.join()).toContain("title");
});

test("queries are checked, too", async () => {
  const response = await fetch(`${engine.url}/repos/a/b/issues?state=shut`);
  expect(response.status).toBe(422);
});
