import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";
import { partOfDocument } from "../servers/github-document/part-of-document.ts";
import { githubFrom, type GithubCatalog, wholeDocument } from "./github-catalog.ts";

const PART =
  /^\/(?:gists|repos\/\{owner\}\/\{repo\}\/(?:issues|milestones|labels)|orgs\/\{org\}\/teams)(?:\/|$)/;

let root: string;
let made: GithubCatalog;
let engine: Engine;

/** The catalog of a part of GitHub's own document; all of it is github-document.real.test.ts. */
beforeAll(async () => {
  const whole = wholeDocument();
  const paths = Object.keys(whole.paths).filter((path) => PART.test(path));
  made = await githubFrom(partOfDocument(whole, paths));
  root = await mkdtemp(join(tmpdir(), "plasm-openapi-"));
  const directory = join(root, "hub");
  await mkdir(directory);
  await writeFile(join(directory, "domain.yaml"), made.domain);
  await writeFile(join(directory, "mappings.yaml"), made.mappings);
  engine = await openEngine({ dataDir: join(root, "data"), catalogs: [directory] });
});
afterAll(async () => {
  await engine.close();
  await rm(root, { recursive: true });
});

it("loads without a word, and reaches nearly all of its operations", () => {
  expect(made.diagnostics).toEqual([]);
  expect(made.operations).toBeGreaterThan(90);
  expect(made.reached / made.operations).toBeGreaterThan(0.9);
});

it("teaches all that it has", async () => {
  const seeds = made.entities.map((entity) => ({ api: "hub", entity }));
  const { text } = await engine.context(caller(), { intent: "everything of it", seeds });
  expect(text).not.toContain("untaught");
});

it.each([
  'Issue(owner="o", repo="r", number=1)[title, state]',
  'Issue(owner="o", repo="r", number=1).comments[body]',
  'Issue{owner="o", repo="r", state=open}[number, title]',
  'Issue.create(owner="o", repo="r", title="t")[number]',
  'Issue(owner="o", repo="r", number=1).update(state=closed)',
  'Gist("1")[description]',
  'Gist("1").star()',
])("plans %s", async (program) => {
  const session = { kind: "ref", ref: "s0" } as const;
  const { text } = await engine.plan(caller(), session, program);
  expect(text).toMatch(/^plan (?:ok|review)/);
});
