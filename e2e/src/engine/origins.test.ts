import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { envSecrets } from "@plasm/runtime";
import { readFixtureCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { taughtSymbols } from "../harness/taught-symbols.ts";
import { answeringTransport, boatAt } from "./answering-transport.ts";
import { caller } from "./engine-under-test.ts";
import { openEngine } from "./open-engine.ts";

/** A fixture catalog that wants a token of its own. */
async function withToken(directory: string, entryId: "quay" | "yard"): Promise<string> {
  const { domain, mappings } = readFixtureCatalog(entryId);
  const auth = `auth: { scheme: bearer_token, env: ${entryId.toUpperCase()}_TOKEN }`;
  const patched = domain.replace("auth: { scheme: none }", auth);
  if (patched === domain) throw new Error(`${entryId} has another auth`);
  const path = join(directory, entryId);
  await mkdir(path);
  await writeFile(join(path, "domain.yaml"), patched);
  await writeFile(join(path, "mappings.yaml"), mappings);
  return path;
}

test("A34 one program on two catalogs: origin, credential and types are each node's own", async () => {
  const dir = await mkdtemp(join(tmpdir(), "plasm-origins-"));
  const api = answeringTransport(({ host, path }) =>
    host.startsWith("quay") ? boatAt(path) : { id: 7, dock: "north" },
  );
  const engine = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [await withToken(dir, "quay"), await withToken(dir, "yard")],
    backends: new Map([
      ["quay", "https://quay.example"],
      ["yard", "https://yard.example"],
    ]),
    ports: {
      transport: api.transport,
      secrets: envSecrets({ QUAY_TOKEN: "of-quay", YARD_TOKEN: "of-yard" }),
    },
  });
  const seeds = ["quay", "yard"].map((entryId) => ({ api: entryId, entity: "Boat" }));
  const { text } = await engine.context(caller(), { intent: "both", seeds, notation: "symbols" });
  const { entities } = taughtSymbols(text);
  const [quay, yard] = [entities.get("quay.Boat"), entities.get("yard.Boat")];
  const answer = await engine.run(
    caller(),
    { kind: "ref", ref: "s0" },
    {
      program: `afloat = ${quay}("b1")[id, length]\nashore = ${yard}(7)[id, dock]\nafloat, ashore`,
    },
  );
  expect(api.seen.toSorted((a, b) => (a.host < b.host ? -1 : 1))).toEqual([
    { method: "GET", host: "quay.example", path: "/boats/b1", authorization: "Bearer of-quay" },
    { method: "GET", host: "yard.example", path: "/boats/7", authorization: "Bearer of-yard" },
  ]);
  expect(answer.results.map(({ name, rows }) => [name, rows])).toEqual([
    ["afloat", [{ id: "b1", length: 9.5 }]],
    ["ashore", [{ id: 7, dock: "north" }]],
  ]);
  await engine.close();
  await rm(dir, { recursive: true, force: true });
});
