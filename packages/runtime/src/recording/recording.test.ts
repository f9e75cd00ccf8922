import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import type { Ports } from "../ports.ts";
import { effectNode, lit } from "../testing/effect-nodes.ts";
import { crates, depot } from "../testing/depot-catalog.ts";
import { quickClock, run } from "../testing/fixture-run.ts";
import { memorySecrets, TOKEN_PATH } from "../testing/guarded-depot.ts";
import { orchard } from "../testing/orchard-catalog.ts";
import { onTree, plant } from "../testing/orchard-effects.ts";
import { openRecording, type Recording } from "./open-recording.ts";
import { RecordingError, recordingFile } from "./recording-file.ts";
import type { RecordingMode } from "./recording-transport.ts";

const ROOT = "client/s3cret+word";
const TOKEN = "t0ken-of-today";

let server: TestServer;
let directory: string;
let busy: number;

/** Tells its callers what they sent, pages by Link, and is busy twice. */
function api(request: Received): Reply {
  const { path, query, headers, body, method } = request;
  if (path === TOKEN_PATH) return { json: { access_token: TOKEN, scope: "crates.read" } };
  if (busy-- > 0) return { status: 503, json: {}, headers: { "retry-after": "1" } };
  if (method !== "GET") return { json: { id: 7, name: body, key: headers["idempotency-key"] } };
  const page = Number(query.get("page") ?? 1);
  const next = { link: `<${server.url}/crates?page=${page + 1}>; rel="next"` };
  const items = [{ id: `c${page}`, size: page, note: headers.authorization }];
  return { json: { items }, headers: page < 3 ? next : {} };
}

beforeEach(async () => {
  busy = 0;
  server = await startServer(api);
  directory = join(await mkdtemp(join(tmpdir(), "plasm-recording-")), "first");
});
afterEach(async () => {
  await server.close();
  // Lines that no answer waits for may still be written.
  await rm(join(directory, ".."), { recursive: true, force: true, maxRetries: 5 });
});

const LIST = `pagination: { location: link_header }
response: { items: items }`;
const topOf = (url: string) => `auth:
  scheme: oauth2_client_credentials
  token_url: ${url}${TOKEN_PATH}
  client_id_env: DEPOT_ID
  client_secret_env: DEPOT_SECRET`;
const secrets = memorySecrets({ DEPOT_ID: "plasm", DEPOT_SECRET: ROOT });

interface Done {
  readonly results: unknown;
  readonly keys: readonly unknown[];
  readonly errors: readonly unknown[];
}

/** Three pages, two retries, an effect with a key and one without. */
async function work(recording: Recording, clock = quickClock()): Promise<Done> {
  const backend = server.url;
  const list = depot({ backend, top: topOf(backend), list: LIST });
  const setting = { catalogs: [list, orchard()], backends: { orchard: backend }, secrets, clock };
  const reads = await run({ ...setting, recording }, [
    crates({ limit: 3, wanted: ["id", "size"] }),
  ]);
  const pay = onTree("action", "tree_pay", { sum: lit(1) });
  const paid = await run({ ...setting, recording }, [effectNode("n1", 0, pay)]);
  const outcomes = [reads, paid];
  return {
    results: outcomes.map(({ results, effects }) => [
      results.map(({ rows, cursor }) => [rows, cursor]),
      effects.map(({ result, status }) => [result, status]),
    ]),
    keys: paid.effects.map(({ idempotencyKey }) => idempotencyKey),
    errors: outcomes.flatMap(({ nodes }) => nodes.map(({ error }) => error)),
  };
}

const opened = (mode: RecordingMode, more: { allowEffects?: boolean } = {}) =>
  openRecording({ directory, mode, ...more });

const textOf = (): Promise<string> => readFile(recordingFile(directory), "utf8");

describe("RUN-161, RUN-162: what was recorded replays identically, without any network", () => {
  test("retries, paging, generated keys, token requests, on another day", async () => {
    busy = 2;
    const first = await work(await opened("record"));
    expect(first.errors).toEqual([null, null]);
    expect(JSON.stringify(first.results)).toContain('"size":3');
    const asked = server.log.length;
    await server.close();
    const dayLater = quickClock(Date.UTC(2027, 1, 2));
    expect(await work(await opened("replay"), dayLater)).toEqual(first);
    expect(server.log).toHaveLength(asked);
    expect(dayLater.waits).toEqual([]);
  });

  test("the file is its owner's alone and holds no secret in any writing", async () => {
    await work(await opened("record"));
    const text = await textOf();
    for (const secret of [ROOT, TOKEN]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(encodeURIComponent(secret));
      expect(text).not.toContain(Buffer.from(secret).toString("base64").replace(/=+$/, ""));
    }
    expect(text).toContain("[redacted]");
    expect((await stat(recordingFile(directory))).mode & 0o077).toBe(0);
  });

  test("a replay asks for no secret of its own", async () => {
    const first = await work(await opened("record"));
    const recording = await opened("replay");
    const refusing = () => {
      throw new Error("a replay looked for a secret");
    };
    const silent = {
      ...recording,
      ports: (live: Parameters<Recording["ports"]>[0]) =>
        recording.ports({ ...live, secrets: { env: refusing, hosted: refusing } }),
    };
    expect(await work(silent)).toEqual(first);
  });
});

describe("RUN-150: replay_miss", () => {
  test("names the request and the nearest recording", async () => {
    const list = depot({ backend: server.url, list: LIST });
    const setting = { catalogs: [list], backends: {} };
    await run({ ...setting, recording: await opened("record") }, [crates()]);
    const recording = await opened("replay");
    const other = { ...crates(), args: { label: lit("x") } };
    const labelled = depot({
      backend: server.url,
      list: `query: { type: object, fields: [[label, { type: var, name: label }]] }\n${LIST}`,
    });
    const missed = await run({ ...setting, catalogs: [labelled], recording }, [other]);
    expect(missed.nodes[0]?.error).toMatchObject({
      code: "replay_miss",
      message: `GET ${server.url}/crates is not in the recording: nearest is GET /crates, which differs in query label.`,
    });
    expect(missed.nodes[0]?.error?.correction).toContain("--hybrid");
    const again = { ...setting, recording };
    expect((await run(again, [crates()])).status).toBe("succeeded");
    expect((await run(again, [crates()])).nodes[0]?.error?.message).toContain(
      "it is recorded once, and was sent once more",
    );
  });
});

describe("RUN-161: hybrid", () => {
  const effect = (recording: Recording) =>
    run({ catalogs: [orchard()], backends: { orchard: server.url }, recording }, [
      effectNode("n1", 0, plant({ name: lit("x") })),
    ]);

  const pay = (recording: Recording, sum: number) =>
    run({ catalogs: [orchard()], backends: { orchard: server.url }, recording }, [
      effectNode("n1", 0, onTree("action", "tree_pay", { sum: lit(sum) })),
    ]);

  test("stores what it sends, and sends what is not stored", async () => {
    const first = await work(await opened("hybrid", { allowEffects: true }));
    const asked = server.log.length;
    const again = await work(await opened("hybrid"));
    expect([again.results, again.errors]).toEqual([first.results, first.errors]);
    expect(server.log).toHaveLength(asked);
    expect(await work(await opened("replay"))).toEqual(first);
  });

  test("RUN-026 a later process sends no key that an earlier one sent, and all of it replays", async () => {
    const sent: unknown[] = [];
    for (const sum of [1, 2, 3]) {
      const recording = await opened("hybrid", { allowEffects: true });
      sent.push((await pay(recording, sum)).effects[0]?.idempotencyKey);
    }
    const keys = server.log.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(sent);
    expect(new Set(keys).size).toBe(3);
    const recording = await opened("replay");
    let made: ReturnType<Recording["ports"]> | null = null;
    const replay = { ...recording, ports: (live: Ports) => (made ??= recording.ports(live)) };
    const replayed: unknown[] = [];
    for (const sum of [1, 2, 3]) {
      replayed.push((await pay(replay, sum)).effects[0]?.idempotencyKey);
    }
    expect(replayed).toEqual(sent);
    expect(server.log).toHaveLength(3);
  });

  test("sends an effect that is not stored only with allow_effects", async () => {
    const refused = await effect(await opened("hybrid"));
    expect(refused.effects[0]?.status).toBe("failed");
    expect(refused.nodes[0]?.error).toMatchObject({ code: "replay_miss" });
    expect(refused.nodes[0]?.error?.correction).toContain("--allow-effects");
    expect(server.log).toEqual([]);
    expect((await effect(await opened("hybrid", { allowEffects: true }))).status).toBe("succeeded");
    expect(server.log).toHaveLength(1);
  });
});

describe("opening", () => {
  test.each<[RecordingMode, string]>([
    ["replay", "does not exist. plasm serve --record DIR makes a recording."],
  ])("%s without a recording", async (mode, words) => {
    await expect(opened(mode)).rejects.toThrow(RecordingError);
    await expect(opened(mode)).rejects.toThrow(words);
  });

  test("a recording is not written over", async () => {
    await opened("record");
    await expect(opened("record")).rejects.toThrow("holds a recording already");
  });

  test("a line that its writer did not end is taken off; a torn one is told with its number", async () => {
    await work(await opened("record"));
    const text = await textOf();
    await writeFile(recordingFile(directory), `${text}{"kind":"exch`);
    await opened("replay");
    expect(await textOf()).toBe(text);
    await writeFile(recordingFile(directory), text.replace('{"kind":"run"', "torn"));
    await expect(opened("replay")).rejects.toThrow(/recording\.jsonl:\d+ is no JSON/);
    await writeFile(recordingFile(directory), '{"kind":"recording","version":9}\n');
    await expect(opened("replay")).rejects.toThrow("no recording of this version");
  });
});
