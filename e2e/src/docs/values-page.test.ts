import { createHash } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import { startServer } from "@plasm/testkit/servers";
import { expect, test } from "vitest";
import { openEngine } from "../engine/open-engine.ts";
import { blocksOf, pageAt } from "./pages.ts";

const blocks = blocksOf(pageAt("docs/values.md"));
const bodies = (kind: string): readonly string[] =>
  blocks.filter((block) => block.kind === kind).map(({ body }) => body.trimEnd());

const HEAD = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short }, file: { type: blob } }
`;

const FILMS = {
  "domain.yaml": `${HEAD}entities:
  Film:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text }, content: { value_ref: file, path: [] } }
capabilities:
  film_get: { kind: get, entity: Film }
`,
  "mappings.yaml":
    "film_get: { method: GET, path: [{ type: literal, value: films }, { type: var, name: id }], response: single }",
};

const action = (name: string): string =>
  `  ${name}: { kind: action, entity: Shelf, parameters: [{ name: file, value_ref: file, required: true }], output: { type: side_effect, description: it is there } }`;

const SHELVES = {
  "domain.yaml": `${HEAD}entities:
  Shelf:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text } }
capabilities:
  shelf_get: { kind: get, entity: Shelf }
${action("shelf_put")}
${action("shelf_fill")}
`,
  "mappings.yaml": bodies("yaml shelves/mappings.yaml")[0] ?? "",
};

const FILM = "a film, over and over. ".repeat(91_180).slice(0, 2_097_152);
const REPORT = "a report. ".repeat(20_480);
const LOGO = "a logo";

/** The page has addresses and digests by their beginning. */
const shortened = (text: string): string => text.replace(/\b([0-9a-f]{4})[0-9a-f]{60}\b/g, "$1…");

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("docs/values.md shows what happens with its mappings and its programs", async () => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "plasm-values-page-")));
  const exports = join(dir, "exports");
  await mkdir(exports);
  await writeFile(join(exports, "report.pdf"), REPORT);
  for (const [id, files] of Object.entries({ films: FILMS, shelves: SHELVES })) {
    await mkdir(join(dir, id));
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, id, name), text);
  }
  const api = await startServer(({ method }) => {
    if (method !== "GET") return { status: 204, text: "" };
    const headers = {
      "content-type": "video/mp4",
      "content-disposition": 'attachment; filename="talk.mp4"',
    };
    return { text: FILM, headers };
  });
  const files = await startServer(() => ({
    text: LOGO,
    headers: { "content-type": "image/png" },
  }));
  const engine = await openEngine({
    dataDir: dir,
    catalogs: [join(dir, "films"), join(dir, "shelves")],
    backends: new Map([
      ["films", api.url],
      ["shelves", api.url],
    ]),
    files: { maxBytes: 4 * 1024 * 1024, directories: [exports], origins: [files.url] },
  });
  const here = (text: string): string =>
    text.replaceAll("/srv/exports", exports).replaceAll("https://files.example", files.url);
  const onPage = (text: string): string =>
    shortened(
      text.replaceAll(exports, "/srv/exports").replaceAll(files.url, "https://files.example"),
    );
  const seeds = [
    { api: "films", entity: "Film" },
    { api: "shelves", entity: "Shelf" },
  ];
  const opened = await engine.context(LOCAL, { intent: "films", seeds, notation: "names" });
  const at = { kind: "ref", ref: String(opened.meta.logical_session_ref) } as const;
  const read = await engine.run(LOCAL, at, { program: 'Film("f1")[id, content]' });
  expect([onPage(read.text.replace(/^```.*\n/gm, ""))]).toEqual(bodies("text answer"));
  const told: string[] = [];
  for (const program of bodies("plasm").map(here)) {
    const planned = await engine.plan(LOCAL, at, program);
    told.push(onPage(planned.text));
    const planCommitRef = String(planned.meta["plan_commit_ref"]);
    const { text } = await engine.run(LOCAL, at, { planCommitRef });
    expect(text).toContain("done");
    expect(text).not.toContain("error");
  }
  expect(told.slice(1)).toEqual(bodies("text plan"));
  const sent = api.log.filter(({ method }) => method !== "GET");
  expect(sent.map(({ method }) => method)).toEqual(["POST", "PUT", "POST"]);
  expect(sent[0]?.body).toContain(FILM);
  expect(sha256(sent[1]?.body ?? "")).toBe(sha256(REPORT));
  expect(sent[1]?.headers["content-type"]).toBe("application/pdf");
  expect(sent[2]?.body).toContain(`filename="logo.png"\r\nContent-Type: image/png\r\n\r\n${LOGO}`);
  await engine.close();
  await Promise.all([api.close(), files.close()]);
  await rm(dir, { recursive: true, force: true });
}, 60_000);
