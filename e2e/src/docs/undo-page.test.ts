import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import { startServer } from "@plasm/testkit/servers";
import { expect, test } from "vitest";
import { openEngine } from "../engine/open-engine.ts";
import { blocksOf, pageAt } from "./pages.ts";

const blocks = blocksOf(pageAt("docs/undo.md"));
const bodies = (kind: string): readonly string[] =>
  blocks.filter((block) => block.kind === kind).map(({ body }) => body.trimEnd());

/** The rooms of the page as an API has them. */
function answerOf(rooms: Map<string, object>) {
  return ({ method, path, body }: { method: string; path: string; body: string }) => {
    const [, , id = "", sub] = path.split("/");
    const given = body === "" ? {} : (JSON.parse(body) as object);
    if (sub !== undefined) return { status: 204 };
    if (method === "PUT" || method === "PATCH") rooms.set(id, { id, ...rooms.get(id), ...given });
    if (method === "DELETE") return { status: rooms.delete(id) ? 204 : 404 };
    const found = rooms.get(id);
    return found === undefined ? { status: 404 } : { json: found };
  };
}

test("docs/undo.md shows what happens with its catalog and its programs", async () => {
  const rooms = new Map<string, object>([
    ["blue", { id: "blue", name: "Blue", seats: 8 }],
    ["old", { id: "old", name: "The old one", seats: 4 }],
  ]);
  const before = new Map(rooms);
  const dir = await mkdtemp(join(tmpdir(), "plasm-undo-page-"));
  await mkdir(join(dir, "rooms"));
  for (const file of ["domain.yaml", "mappings.yaml"]) {
    const [text = "", ...more] = bodies(`yaml rooms/${file}`);
    expect(more).toEqual([]);
    await writeFile(join(dir, "rooms", file), text);
  }
  const api = await startServer(answerOf(rooms));
  const engine = await openEngine({
    dataDir: dir,
    catalogs: [join(dir, "rooms")],
    backends: new Map([["rooms", api.url]]),
  });
  const seeds = [{ api: "rooms", entity: "Room" }];
  const opened = await engine.context(LOCAL, { intent: "rooms", seeds, notation: "names" });
  const { prompt_hash: promptHash, session_id: sessionId } = opened.meta.execute_binding;
  const at = { kind: "pair", promptHash, sessionId } as const;
  const told: string[] = [];
  for (const [n, program] of bodies("plasm").entries()) {
    told.push((await engine.plan(LOCAL, at, program)).text);
    await engine.run(LOCAL, at, { program, planCommitRef: `pc${n}` });
  }
  expect(told).toEqual(bodies("text"));
  expect(rooms).toEqual(before);
  await engine.close();
  await api.close();
  await rm(dir, { recursive: true, force: true });
}, 60_000);
