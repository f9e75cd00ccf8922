import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import type { RunError } from "../base/run-failure.ts";
import { crates, depot } from "../testing/depot-catalog.ts";
import { quickClock, run, type Setting } from "../testing/fixture-run.ts";

const SECRET = "s3cr/et+key=";
const AUTH = "auth: { scheme: api_key_query, param: api_key, env: DEPOT_KEY }";

interface Tried {
  readonly error: RunError | null;
  readonly rows: number;
  readonly server: TestServer;
  readonly waits: readonly number[];
  readonly ms: number;
}

/** Runs the list of crates against a server that answers so. */
async function attempt(
  reply: (request: Received, count: number) => Reply,
  over: Partial<Setting> = {},
  top = AUTH,
): Promise<Tried> {
  let count = 0;
  const server = await startServer((request) => reply(request, ++count));
  const clock = quickClock();
  const started = Date.now();
  const setting: Setting = {
    catalogs: [depot({ backend: server.url, list: "response: items_list", top })],
    backends: {},
    env: { DEPOT_KEY: SECRET },
    clock,
    ...over,
  };
  const { nodes, results } = await run(setting, [crates()]);
  await server.close();
  const error = nodes[0]?.error ?? null;
  const ms = Date.now() - started;
  return { error, rows: results[0]?.rows.length ?? 0, server, waits: clock.waits, ms };
}

const good: Reply = { json: { items: [{ id: "a" }] } };

describe("RUN-038, RUN-039: bodies that are no answer", () => {
  test.each<[string, Reply, string]>([
    ["HTML for JSON", { text: "<!doctype html><p>Please sign in" }, "response_not_json"],
    [
      "HTML called JSON",
      { text: "<html>", headers: { "content-type": "application/json" } },
      "response_not_json",
    ],
    [
      "truncated JSON",
      { text: '{"items":[{"id":"a"', headers: { "content-type": "application/json" } },
      "response_not_json",
    ],
    [
      "JSON nested too deep",
      {
        text: `${"[".repeat(200)}${"]".repeat(200)}`,
        headers: { "content-type": "application/json" },
      },
      "response_not_json",
    ],
    [
      "a body over 10 MiB",
      {
        bytes: new Uint8Array(10 * 1024 * 1024 + 1).fill(32),
        headers: { "content-type": "application/json" },
      },
      "response_too_large",
    ],
    [
      "10 MiB once decompressed",
      {
        bytes: gzipSync(new Uint8Array(11 * 1024 * 1024).fill(32)),
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
      },
      "response_too_large",
    ],
    [
      "broken gzip",
      { bytes: new Uint8Array([1, 2, 3]), headers: { "content-encoding": "gzip" } },
      "upstream_error",
    ],
    [
      "a status that is an error",
      { status: 422, json: { errors: { size: ["too big"] } } },
      "upstream_error",
    ],
    ["a refused credential", { status: 401, json: { message: "who?" } }, "auth_refused"],
    ["a forbidden one", { status: 403, text: "<p>no</p>" }, "auth_refused"],
  ])("%s", async (_name, reply, code) => {
    const { error } = await attempt(() => reply);
    expect(error?.code).toBe(code);
    expect(error?.request).toMatchObject({ method: "GET", pathTemplate: "/crates" });
  });

  test("the API's own words are quoted, cleaned and short", async () => {
    const { error } = await attempt(() => ({
      status: 400,
      json: { message: `bad\u0007  filter\n\n${"x".repeat(2000)}`, documentation_url: "https://d" },
    }));
    expect(error?.request?.apiText).toMatch(/^bad filter x+…$/);
    expect([...(error?.request?.apiText ?? "")]).toHaveLength(768);
  });

  test("an empty 2xx is null, and no row", async () => {
    const { error, rows } = await attempt(() => ({ status: 204, text: "" }));
    expect([error, rows]).toEqual([null, 0]);
  });
});

describe("RUN-025: retries of reads", () => {
  test.each<[string, Reply]>([
    ["502", { status: 502, text: "" }],
    ["503", { status: 503, text: "" }],
    ["504", { status: 504, text: "" }],
    ["429", { status: 429, text: "" }],
    ["a lost connection", { hangUp: true }],
  ])("%s twice, then an answer", async (_name, bad) => {
    const { rows, server, waits } = await attempt((_request, n) => (n < 3 ? bad : good));
    expect([rows, server.log.length]).toEqual([1, 3]);
    // Full jitter: the test's random number is 0.5, the ceilings are 0.5 s and 1 s.
    expect(waits).toEqual([250, 500]);
  });

  test("three attempts at most", async () => {
    const { error, server } = await attempt(() => ({ status: 503, text: "" }));
    expect(server.log).toHaveLength(3);
    expect(error).toMatchObject({ code: "upstream_error", retryable: true });
  });

  test.each([400, 404, 409, 500, 501])("%i is not retried", async (status) => {
    const { server } = await attempt(() => ({ status, text: "" }));
    expect(server.log).toHaveLength(1);
  });

  test("Retry-After in seconds", async () => {
    const limited: Reply = { status: 429, text: "", headers: { "retry-after": "7" } };
    const { rows, waits } = await attempt((_request, n) => (n === 1 ? limited : good));
    expect(rows).toBe(1);
    expect(waits[0]).toBeGreaterThan(6_900);
    expect(waits[0]).toBeLessThanOrEqual(7_000);
  });

  test("Retry-After as a date, by the run's clock", async () => {
    const clock = quickClock(Date.UTC(2026, 0, 5, 12, 0, 0));
    const limited: Reply = {
      status: 429,
      text: "",
      headers: { "retry-after": "Mon, 05 Jan 2026 12:00:09 GMT" },
    };
    const { rows } = await attempt((_request, n) => (n === 1 ? limited : good), { clock });
    expect(rows).toBe(1);
    expect(clock.waits[0]).toBeGreaterThan(6_000);
    expect(clock.waits[0]).toBeLessThanOrEqual(9_000);
  });

  test.each<[string, Record<string, string>]>([
    ["Retry-After", { "retry-after": "3" }],
    ["no requests remaining", { "x-ratelimit-remaining": "0" }],
  ])("a 403 with %s counts as 429", async (_name, headers) => {
    const { rows } = await attempt((_r, n) =>
      n === 1 ? { status: 403, text: "", headers } : good,
    );
    expect(rows).toBe(1);
  });

  test("X-RateLimit-Reset says when", async () => {
    const clock = quickClock(Date.UTC(2026, 0, 5));
    const reset = String(Date.UTC(2026, 0, 5) / 1000 + 20);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    await attempt((_r, n) => (n === 1 ? { status: 403, text: "", headers } : good), { clock });
    expect(clock.waits[0]).toBeGreaterThan(15_000);
    expect(clock.waits[0]).toBeLessThanOrEqual(20_000);
  });

  test("a wait over 60 s is rate_limited at once and says when and what the API says", async () => {
    const json = { message: "slow down" };
    const limited: Reply = { status: 429, json, headers: { "retry-after": "120" } };
    const { error, server } = await attempt(() => limited);
    expect(server.log).toHaveLength(1);
    expect(error).toMatchObject({ code: "rate_limited", retryable: true, retryAfter: 120 });
    expect(error?.message).toContain('"slow down"');
    expect(error?.request).toMatchObject({ status: 429, apiText: "slow down" });
  });
});

describe("RUN-027: redirects", () => {
  test("to the same origin, with the credential", async () => {
    const { rows, server } = await attempt(({ path }) =>
      path === "/crates" ? { status: 302, text: "", headers: { location: "/elsewhere" } } : good,
    );
    expect(rows).toBe(1);
    expect(server.log[1]?.query.get("api_key")).toBe(SECRET);
  });

  test("more than five are refused", async () => {
    const { error, server } = await attempt(({ query }) => ({
      status: 307,
      text: "",
      headers: { location: `/crates?hop=${Number(query.get("hop") ?? 0) + 1}` },
    }));
    expect(error?.code).toBe("origin_refused");
    expect(server.log).toHaveLength(6);
  });

  test("to another loopback port is refused: only the backend's own origin may be private", async () => {
    const other = await startServer(() => good);
    const { error } = await attempt(() => ({
      status: 302,
      text: "",
      headers: { location: `${other.url}/steal` },
    }));
    expect(error?.code).toBe("origin_refused");
    expect(other.log).toEqual([]);
    await other.close();
  });
});

describe("RUN-142: secrets never show", () => {
  test.each<[string, Reply]>([
    ["in an error the API echoes", { status: 400, json: { message: `bad key ${SECRET}` } }],
    ["percent-encoded", { status: 400, text: `GET /crates?api_key=${encodeURIComponent(SECRET)}` }],
    ["in base64", { status: 500, json: { echo: Buffer.from(SECRET).toString("base64") } }],
    ["in markup", { text: `<p>${SECRET}</p>` }],
    [
      "in UTF-16",
      {
        status: 400,
        bytes: Buffer.from(JSON.stringify({ message: `bad ${SECRET}` }), "utf16le"),
        headers: { "content-type": "application/json; charset=utf-16le" },
      },
    ],
    [
      "in UTF-16 that is not declared",
      { status: 400, bytes: Buffer.from(`bad ${SECRET}`, "utf16le") },
    ],
    ["in a lost connection", { hangUp: true }],
    ["in a key of an odd body", { json: { items: { [SECRET]: 1 } } }],
  ])("%s", async (_name, reply) => {
    const { error, server } = await attempt(() => reply);
    expect(server.log[0]?.query.get("api_key")).toBe(SECRET);
    const text = JSON.stringify(error);
    expect(error).not.toBeNull();
    for (const form of [
      SECRET,
      encodeURIComponent(SECRET),
      Buffer.from(SECRET).toString("base64"),
    ]) {
      expect(text).not.toContain(form);
    }
  });
});

describe("RUN-120, RUN-121: credentials", () => {
  const header = async (top: string, env: Record<string, string>) => {
    const { error, server } = await attempt(() => good, { env }, top);
    return { error, headers: server.log[0]?.headers };
  };

  test("api_key_header with its prefix, trimmed", async () => {
    const top = 'auth: { scheme: api_key_header, header: X-Key, prefix: "Key ", env: DEPOT_KEY }';
    expect((await header(top, { DEPOT_KEY: " k1\n" })).headers?.["x-key"]).toBe("Key k1");
  });

  test("bearer_token", async () => {
    const top = "auth: { scheme: bearer_token, env: DEPOT_KEY }";
    expect((await header(top, { DEPOT_KEY: "k1" })).headers?.authorization).toBe("Bearer k1");
  });

  test("optional_env without a value sends none", async () => {
    const top = "auth: { scheme: bearer_token, env: DEPOT_KEY, optional_env: true }";
    expect((await header(top, {})).headers?.authorization).toBeUndefined();
  });

  test.each([{}, { DEPOT_KEY: "  " }])(
    "missing or blank is auth_missing, naming the sources",
    async (env) => {
      const top =
        'auth: { scheme: bearer_token, env: DEPOT_KEY, hosted_kv: "plasm:outbound:depot" }';
      const { error, headers } = await header(top, env);
      expect(error?.code).toBe("auth_missing");
      expect(error?.message).toMatch(
        /session.*hosted key plasm:outbound:depot.*plasm auth.*environment variable DEPOT_KEY/,
      );
      expect(headers).toBeUndefined();
    },
  );

  test("RUN-029 the default headers", async () => {
    const { headers } = await header("auth: { scheme: none }", {});
    expect(headers?.["user-agent"]).toMatch(/^plasm\/\d/);
    expect(headers?.accept).toBe("application/json");
  });
});
