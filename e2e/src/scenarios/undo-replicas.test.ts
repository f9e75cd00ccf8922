import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RecordedRequest, startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type CallerName, openTalk } from "../harness/callers.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import type { PlasmOptions } from "../harness/plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { connectMcp } from "../harness/surfaces.ts";
import type { Talk, Told } from "../harness/talk.ts";

const seeds = [...seedsOf("quay", "Boat"), ...seedsOf("yard", "Part")];

/** What the published catalogs, which say nothing of undo, say with it. */
const UNDO = {
  quay: {
    boat_create: "boat_delete",
    boat_update: "restore",
    boat_delete: "none",
    boat_ping: "none",
    boat_send: "none",
  },
  yard: { part_edit: "none" },
} as const;

interface Replica {
  readonly server: PlasmServer;
  readonly options: PlasmOptions;
}

let dir: string;
let apis: SampleApis;
let database: TestDatabase;
/** keeps requests from being answered */
let hold: (request: RecordedRequest) => Promise<void> = () => Promise.resolve();
let catalogs: readonly string[];
const replicas: Replica[] = [];

/** A copy of a published catalog in which its effects say what takes them back. */
async function withUndo(entryId: keyof typeof UNDO): Promise<string> {
  const copy = join(dir, entryId);
  await cp(fixtureCatalogDir(entryId), copy, { recursive: true });
  const file = join(copy, "domain.yaml");
  let text = await readFile(file, "utf8");
  for (const [name, undo] of Object.entries(UNDO[entryId])) {
    const head = `  ${name}:\n`;
    expect(text).toContain(head);
    text = text.replace(head, `${head}    undo: ${undo}\n`);
  }
  await writeFile(file, text);
  return copy;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-undo-replicas-"));
  catalogs = await Promise.all([withUndo("quay"), withUndo("yard")]);
  [apis, database] = await Promise.all([
    startSampleApis({
      dataDir: join(dir, "apis"),
      ports: { quay: 0, yard: 0 },
      onRequest: async (request) => {
        await hold(request);
        return undefined;
      },
    }),
    createDatabase(inject("postgresUrl")),
  ]);
  replicas.push(...(await Promise.all(["a", "b"].map(startReplica))));
}, 240_000);

/** One of the servers on the database, with a data directory of its own, like a machine of its own. */
async function startReplica(name: string): Promise<Replica> {
  const env = {
    PLASM_BACKEND_QUAY: apis.quay.url,
    PLASM_BACKEND_YARD: apis.yard.url,
    PLASM_DATABASE_URL: database.url,
  };
  const options = { dataDir: join(dir, name), catalogs: [...catalogs], env };
  return { options, server: await startPlasmServer(options) };
}

afterAll(async () => {
  await Promise.all(replicas.map(({ server }) => server.stop()));
  await database.drop();
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

beforeEach(() => apis.reset());

const placeOf = (index: number, replica = replicas[index]) => {
  if (replica === undefined) throw new Error("No replica has started");
  return { url: replica.server.url, options: replica.options };
};

/** What the APIs themselves keep; the number of the next boat is quay's own, and is used up. */
async function dump(): Promise<readonly [quay: unknown, yard: unknown]> {
  const read = async (name: string): Promise<object> =>
    JSON.parse(await readFile(join(dir, "apis", `${name}.json`), "utf8")) as object;
  const [quay, yard] = await Promise.all([read("quay"), read("yard")]);
  return [{ ...quay, nextBoat: 0 }, yard];
}

const PROGRAM = `Boat("b1").update(name="Renamed", note="two\\nlines", state=lost)
Boat("b2").update(note="changed")
Boat.create(name="Newly made", owner="ann", length=7.5)`;

function refOf({ text }: Told): string {
  const ref = /^plan review (pc\d+) · /.exec(text)?.[1];
  if (ref === undefined) throw new Error(text);
  return ref;
}

/** Plans on one replica and runs on the other. */
async function across(first: Talk, second: Talk, program: string): Promise<string> {
  const ref = refOf(await first.plan(program));
  const run = await second.run(program, { plan_commit_ref: ref });
  expect(run, run.text).toMatchObject({ outcome: "done" });
  return ref;
}

describe.each<CallerName>(["MCP 2026 over HTTP", "HTTP"])(
  "%s, two servers on one PostgreSQL",
  (caller) => {
    const open = async (what: string) => {
      const intent = `${caller}: ${what}`;
      const [first, second] = await Promise.all(
        [0, 1].map((index) => openTalk(caller, placeOf(index), { intent, seeds })),
      );
      if (first === undefined || second === undefined) throw new Error("No talks");
      return { first, second, close: () => Promise.all([first.close(), second.close()]) };
    };

    test("UNDO-05 what one has done is taken back by the other; the API's own data are as before", async () => {
      const { first, second, close } = await open("there and back");
      const before = await dump();
      const done = await across(first, second, PROGRAM);
      expect(await dump()).not.toEqual(before);
      const undone = await across(second, first, `undo(${done})`);
      expect(await dump()).toEqual(before);
      // And there again, by the ref of the undo: the boat that was made is another one by then.
      const again = await second.plan(`undo(${undone})`);
      expect(again.text).toMatch(/^plan review pc\d+ · .*2 effects/);
      expect(again.text).toContain("not undone");
      await close();
    });

    test("UNDO-07 of two undos of one plan, planned on both at once, each step is sent once", async () => {
      const { first, second, close } = await open("raced");
      const before = await dump();
      const done = await across(first, second, PROGRAM);
      const plans = await Promise.all([first.plan(`undo(${done})`), second.plan(`undo(${done})`)]);
      const refs = plans.map(refOf);
      apis.forgetRequests();
      const undo = `undo(${done})`;
      const told = await Promise.all([
        first.run(undo, { plan_commit_ref: refs[0] ?? "" }),
        second.run(undo, { plan_commit_ref: refs[1] ?? "" }),
        second.run(undo, { plan_commit_ref: refs[0] ?? "" }),
      ]);
      expect(told.map(({ outcome }) => outcome)).toContain("done");
      const sent = apis.requests.filter(({ method }) => method !== "GET");
      expect(sent.map(({ method }) => method).toSorted()).toEqual(["DELETE", "PATCH", "PATCH"]);
      expect(await dump()).toEqual(before);
      await close();
    });

    test("UNDO-06 a row that somebody changed since is left, whichever replica undoes it", async () => {
      const { first, second, close } = await open("changed since");
      const done = await across(first, second, 'Boat("b1").update(name="Renamed")');
      await fetch(`${apis.quay.url}/boats/b1`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "By hand" }),
      });
      const ref = refOf(await second.plan(`undo(${done})`));
      const run = await first.run(`undo(${done})`, { plan_commit_ref: ref });
      expect(run.text).toContain("was changed since effect 1");
      expect(JSON.stringify(await dump())).toContain("By hand");
      await close();
    });

    test("UNDO-07 of a plan on quay and yard, quay's part is undone and yard's is told", async () => {
      const { first, second, close } = await open("two catalogs");
      const [quay, yard] = await dump();
      const program = `${PROGRAM}
Part(maker="b & sons", no=1).edit(ops=[{op: insert, at: 1, text: "checked"}])`;
      const done = await across(first, second, program);
      expect((await dump())[1]).not.toEqual(yard);
      const plan = await second.plan(`undo(${done})`);
      expect(plan.text).toMatch(/not undone 4 edit yard\.Part .*: nothing undoes it/);
      await across(first, second, `undo(${done})`);
      const after = await dump();
      expect(after[0]).toEqual(quay);
      expect(after[1]).not.toEqual(yard);
      await close();
    });
  },
);

test("UNDO-08 a ref of another session is none, on either replica", async () => {
  const [first, second] = await Promise.all(
    [0, 1].map((index) => connectMcp("MCP 2026 over HTTP", placeOf(index))),
  );
  if (first === undefined || second === undefined) throw new Error("No agents");
  const mine = await openSession(first, "mine", seeds);
  const other = await openSession(second, "another's", seeds);
  await first.run(mine.ref, 'Boat("b1").update(name="Mine")', { force: true });
  const undo = second.plan(other.ref, "undo(pc0)");
  await expect(undo).rejects.toThrow(/No plan/);
  await Promise.all([first.close(), second.close()]);
});

test("OPS-32 an undo whose replica is killed between two steps is ended by the other", async () => {
  const dying = await startReplica("dying");
  const opening = { intent: "killed in its undo", seeds };
  const first = await openTalk("HTTP", placeOf(0, dying), opening);
  const second = await openTalk("HTTP", placeOf(1), opening);
  const before = await dump();
  const done = await across(first, second, PROGRAM);
  const undo = `undo(${done})`;
  const ref = refOf(await second.plan(undo));
  apis.forgetRequests();
  const changes = (): readonly string[] =>
    apis.requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
  let isHeld = false;
  let letGo: () => void = () => undefined;
  // The row of the last step is being read: nothing that changes anything is on its way.
  hold = async ({ method, path }) => {
    if (method !== "GET" || path !== "/boats/b1") return;
    isHeld = true;
    await new Promise<void>((resolve) => (letGo = resolve));
  };
  const lost = first.run(undo, { plan_commit_ref: ref }).catch(() => null);
  await expect.poll(() => isHeld, { timeout: 60_000 }).toBe(true);
  const sent = changes();
  await dying.server.kill();
  hold = () => Promise.resolve();
  letGo();
  await lost;
  await expect
    .poll(async () => (await second.run(undo, { plan_commit_ref: ref })).text, {
      timeout: 60_000,
      interval: 250,
    })
    .toContain("done update quay.Boat ×2 b2 b1");
  expect(sent).toEqual([expect.stringMatching(/^DELETE \/boats\/b\d+$/), "PATCH /boats/b2"]);
  expect(changes()).toEqual([...sent, "PATCH /boats/b1"]);
  expect(await dump()).toEqual(before);
  await Promise.all([first.close(), second.close()]);
}, 180_000);
