import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip, deflateSync, gzipSync } from "node:zlib";
import { fixtureCatalogDir } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { call as callServer, type HttpAnswer } from "../harness/boat-effects.ts";
import { plasmCommand } from "../harness/plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { runProcess } from "../harness/run-process.ts";
import { hs256, type Claims } from "../identity/tokens.ts";
import { useStarted } from "../servers/endings.ts";

/** Attacks on a server as a process of its own, by an API that lies and by callers that prove who they are. */
const SECRET = "a secret that is long enough for HS256";
const LONG = 180_000;
/** What a boat's API answers, by the boat: how it is encoded, and what. */
type Lie = (outgoing: ServerResponse) => void;

const ROW = JSON.stringify({ id: "b1", name: "Anna", state: "moored" });

const encoded =
  (encoding: string, body: Buffer): Lie =>
  (outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    outgoing.end(body);
  };

/** One gigabyte of blanks within a megabyte, as fast as it is taken. */
const bomb: Lie = (outgoing) => {
  outgoing.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  const gzip = createGzip();
  gzip.pipe(outgoing);
  outgoing.on("close", () => gzip.destroy());
  gzip.on("error", () => undefined);
  const blanks = Buffer.alloc(1 << 20, " ");
  let left = 1_024;
  const pour = (): void => {
    while (left > 0) {
      left -= 1;
      if (!gzip.write(blanks)) return void gzip.once("drain", pour);
    }
    gzip.end();
  };
  gzip.write("[");
  pour();
};

const LIES: Readonly<Record<string, Lie>> = {
  bomb,
  nested: encoded("gzip, gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(gzipSync(ROW))))),
  identities: encoded(
    "identity, gzip, identity, gzip, identity, gzip, identity, gzip",
    gzipSync(gzipSync(gzipSync(gzipSync(ROW)))),
  ),
  truncated: encoded("gzip", gzipSync(ROW).subarray(0, 30)),
  unknown: encoded("x-secret", Buffer.from(ROW)),
  mislabelled: encoded("gzip", deflateSync(ROW)),
};

const world = useStarted(async (endings) => {
  let asked = 0;
  const answer = ({ url = "" }: IncomingMessage, outgoing: ServerResponse): void => {
    asked += 1;
    const lie = LIES[url.split("/").at(-1) ?? ""];
    if (lie !== undefined) return lie(outgoing);
    outgoing.writeHead(200, { "content-type": "application/json" }).end(ROW);
  };
  const api = createServer(answer);
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  endings.add(async () => {
    api.closeAllConnections();
    await new Promise((resolve) => api.close(resolve));
  });
  const { port } = api.address() as AddressInfo;
  const dataDir = await endings.directory("served");
  const keyOf = async (...args: readonly string[]): Promise<string> =>
    (await runProcess(plasmCommand(["keys", "add", "--data", dataDir, ...args], {}))).stdout.trim();
  const operator = await keyOf("--subject", "olga", "--tenant", "acme");
  const start = async (directory: string, ...args: readonly string[]): Promise<PlasmServer> => {
    const server = await startPlasmServer({
      dataDir: directory,
      catalogs: [fixtureCatalogDir("quay")],
      args,
      env: {
        PLASM_BACKEND_QUAY: `http://127.0.0.1:${port}`,
        PLASM_AUTH: "required",
        PLASM_JWT_SECRET: SECRET,
        PLASM_JWT_TENANTS: "shared",
      },
    });
    endings.add(() => server.kill());
    return server;
  };
  const [server, strict] = await Promise.all([
    start(dataDir),
    start(await endings.directory("strict"), "--strict"),
  ]);
  return { server, strict, operator, dataDir, asked: () => asked };
});

const tokenOf = (claims: Claims): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${hs256(SECRET, { tenant: "acme", ...claims })}`,
});

const call = (
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: object,
): Promise<HttpAnswer> =>
  callServer(world().server.url, method, path, {
    headers,
    ...(body === undefined ? {} : { body }),
  });

const open = async (
  headers: Readonly<Record<string, string>>,
  intent?: string,
): Promise<string> => {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const opened = await call(headers, "POST", "/execute", {
    seeds,
    notation: "names",
    ...(intent === undefined ? {} : { intent }),
  });
  expect(opened.location, opened.text).not.toBe("");
  return opened.location;
};

const ANN = (): Readonly<Record<string, string>> => tokenOf({ sub: "ann" });
const BOB = (): Readonly<Record<string, string>> => tokenOf({ sub: "bob" });

describe("18.17 encodings", () => {
  test.each(Object.keys(LIES))(
    "%s: no row of it is told, the reason is, and the server answers others",
    async (lie) => {
      const session = await open(ANN(), `lies ${lie}`);
      const [told, health] = await Promise.all([
        call(ANN(), "POST", session, { program: `Boat("${lie}")[id, name]`, force: true }),
        call({}, "GET", "/v1/health"),
      ]);
      expect(health.status).toBe(200);
      expect(told.status, told.text).toBeGreaterThanOrEqual(400);
      expect(told.status, told.text).not.toBe(500);
      expect(told.text).not.toContain("Anna");
    },
    LONG,
  );

  test("18.17 a body that a client sends compressed is refused, not read as something else", async () => {
    const session = await open(ANN(), "compressed");
    const response = await fetch(world().server.url + session, {
      method: "POST",
      headers: { ...ANN(), "content-type": "application/json", "content-encoding": "gzip" },
      body: new Uint8Array(gzipSync(JSON.stringify({ program: 'Boat("b1")[id]' }))),
    });
    const text = await response.text();
    expect([400, 415], text).toContain(response.status);
  });
});

describe("18.18 somebody else of the tenant", () => {
  test.each([
    ["GET", ""],
    ["POST", ""],
    ["GET", "/operations/s0_o1"],
    ["GET", "/operations/s0_o1/stream"],
    ["GET", "/r/1"],
    ["GET", "/status"],
    ["GET", "/runs"],
    ["GET", "/symbols"],
    ["GET", "/grafts"],
  ] as const)(
    "%s of a session's address%s, answered as what never was",
    async (method, path) => {
      const session = await open(ANN(), "private work");
      await call(ANN(), "POST", session, { program: 'Boat("b1")[id]', wait: false });
      const never = session.replace(/[^/]{8}$/, "00000000");
      const body = method === "POST" ? { program: 'Boat("b1")[id]' } : undefined;
      const [theirs, nothing] = await Promise.all([
        call(BOB(), method, session + path, body),
        call(BOB(), method, never + path, body),
      ]);
      // A message repeats the address that was asked for.
      const plain = ({ text }: HttpAnswer): string => text.replaceAll(/[0-9a-f]{24,}/g, "id");
      expect([theirs.status, plain(theirs)]).toEqual([nothing.status, plain(nothing)]);
      expect(theirs.status).toBeGreaterThanOrEqual(400);
      expect(theirs.status).not.toBe(500);
    },
    LONG,
  );

  test("18.18 the same intent from another tenant is another session", async () => {
    const [mine, theirs] = await Promise.all([
      open(ANN(), "shared words"),
      open(tokenOf({ sub: "ann", tenant: "other" }), "shared words"),
    ]);
    expect(mine).not.toBe(theirs);
    const read = await call(tokenOf({ sub: "ann", tenant: "other" }), "GET", mine);
    expect([403, 404]).toContain(read.status);
  });

  test("18.18 principal in a body is refused where nothing lets the caller name one", async () => {
    const told = await call(BOB(), "POST", "/execute", {
      seeds: [{ api: "quay", entity: "Boat" }],
      intent: "as ann",
      principal: "ann",
    });
    expect([400, 401, 403], told.text).toContain(told.status);
  });

  test("18.18 traces are the caller's own; the operator of another tenant sees none", async () => {
    const session = await open(ANN(), "traced work");
    await call(ANN(), "POST", session, { program: 'Boat("b1")[id]', force: true });
    expect((await call(BOB(), "GET", "/v1/traces")).text).not.toContain("traced work");
    const { operator } = world();
    const seen = await call({ "x-api-key": operator }, "GET", "/v1/traces");
    expect(seen.status).toBe(200);
  });
});

describe("18.19 tokens that no issuer should make", () => {
  const wrong: readonly (readonly [string, Claims])[] = [
    ["a sub that is a number", { sub: 7 }],
    ["a sub that is a list", { sub: ["ann"] }],
    ["an empty sub", { sub: "" }],
    ["a sub of blanks", { sub: "   " }],
    ["a sub with a line break", { sub: "ann\nbob" }],
    ["a sub of 100,000 letters", { sub: "a".repeat(100_000) }],
    ["an exp that is text", { exp: "tomorrow" }],
    ["an exp beyond all numbers", { exp: 1e300 }],
    ["an exp below all numbers", { exp: -1e300 }],
    ["no exp", { exp: undefined }],
    ["a tenant that is a map", { tenant: { name: "acme" } }],
    ["a sub that ends in a blank", { sub: "ann " }],
    ["a sub with a letter that nobody sees", { sub: "ann\u200B" }],
    ["a sub that is written backwards", { sub: "\u202Enna" }],
    ["a tenant with U+0000", { tenant: "ac\0me" }],
    ["a time before which it is not good", { nbf: 4_000_000_000 }],
  ];
  test.each(wrong)("18.19 %s is refused", async (_what, claims) => {
    const told = await call(tokenOf(claims), "GET", "/v1/whoami");
    expect([400, 401, 413, 431], told.text).toContain(told.status);
  });

  test.each(["ACME", "Acme ", "ａｃｍｅ", "acme\u200B"])(
    "18.19 the tenant %j is another one, refused or the same in every respect",
    async (tenant) => {
      const session = await open(ANN(), "tenant forms");
      const read = await call(tokenOf({ sub: "ann", tenant }), "GET", session);
      expect([200, 401, 403, 404], read.text).toContain(read.status);
      const who = await call(tokenOf({ sub: "ann", tenant }), "GET", "/v1/whoami");
      // Whoever may read what ann of acme has is ann of acme by every account.
      expect(read.status === 200).toBe(who.status === 200 && who.text.includes('"acme"'));
    },
  );
});

describe("18.20 a strict start", () => {
  const FORCE = 'Boat("b1").ping()';
  const strict = (path: string, body: object): Promise<Response> =>
    fetch(world().strict.url + path, {
      method: "POST",
      redirect: "manual",
      headers: {
        ...ANN(),
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });

  test("18.20 refuses force over HTTP and over MCP, and nothing is sent", async () => {
    const seeds = [{ api: "quay", entity: "Boat" }];
    const opened = await strict("/execute", { seeds, intent: "force", notation: "names" });
    const session = opened.headers.get("location") ?? "";
    expect(session).not.toBe("");
    const asked = world().asked();
    const overHttp = await strict(session, { program: FORCE, force: true });
    expect(overHttp.status).toBe(403);
    expect(await overHttp.text()).toContain("plasm-force-denied");
    const params = {
      name: "plasm_run",
      arguments: { logical_session_ref: "s0", program: FORCE, force: true },
    };
    const overMcp = await strict("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(await overMcp.text()).toContain("Policy forbids force");
    for (const force of ["true", 1, "yes", {}, null]) {
      expect((await strict(session, { program: FORCE, force })).status).toBe(400);
    }
    expect(world().asked()).toBe(asked);
  });

  test(
    "18.20 does not start where a setting says otherwise",
    async () => {
      const env = {
        PLASM_AUTH: "required",
        PLASM_JWT_SECRET: SECRET,
        PLASM_CREDENTIALS: "deployment",
      };
      const args = ["serve", "--strict", "--port", "0", "--data", world().dataDir];
      const { code, stderr } = await runProcess(plasmCommand(args, env));
      expect([code, stderr]).toEqual([1, expect.stringContaining("PLASM_CREDENTIALS")]);
    },
    LONG,
  );
});
