import { connect, type Socket } from "node:net";
import { createAuthenticator, fail } from "@plasm/agent-core/internal";
import { mountMcp } from "@plasm/mcp";
import { afterEach, describe, expect, it } from "vitest";
import { problemIn } from "../testing/app-for.ts";
import { engineWith, type FakeMethods } from "../testing/engine-with.ts";
import {
  type HttpServer,
  SERVER_LIMITS,
  type ServerLimits,
  ServerStartError,
  startHttpServer,
} from "./start-http-server.ts";

const mcp = mountMcp({
  connections: {
    issue: async () => "0".repeat(32),
    isOf: async () => false,
    clientOf: async () => ({}),
  },
});
const running: HttpServer[] = [];

async function start(
  methods: FakeMethods = {},
  port = 0,
  limits: ServerLimits = SERVER_LIMITS,
): Promise<HttpServer> {
  const engine = engineWith(methods);
  const server = await startHttpServer({ engine, mcp, limits, host: "127.0.0.1", port });
  running.push(server);
  return server;
}

const portOf = ({ url }: HttpServer): number => Number(new URL(url).port);

/** What the server sends back to bytes that no HTTP client would send. */
const raw = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

describe("startHttpServer", () => {
  it("serves routes and MCP on a socket", async () => {
    const { url } = await start();
    expect(await (await fetch(`${url}/v1/health`)).json()).toMatchObject({ status: "ok" });
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(await response.text()).toContain("plasm_context");
  });

  it("keeps idle connections for longer than clients do, and says so", async () => {
    const { url } = await start();
    expect((await fetch(`${url}/v1/health`)).headers.get("keep-alive")).toBe("timeout=75");
  });

  it("says which port is taken", async () => {
    const port = portOf(await start());
    await expect(start({}, port)).rejects.toThrow(ServerStartError);
    await expect(start({}, port)).rejects.toThrow(`127.0.0.1:${port} is taken`);
  });

  it("serves an address of other machines where callers prove who they are, or none has to", async () => {
    // An address that nothing can listen on: what is refused is not the address as such.
    const address = { host: "192.0.2.1", port: 0 };
    const keys = { recordOf: async () => null };
    for (const mode of ["optional", "required"] as const) {
      const auth = createAuthenticator({ mode, keys });
      const started = startHttpServer({ engine: engineWith(), mcp, auth, ...address });
      await expect(started).rejects.toThrow("Cannot listen on 192.0.2.1:0");
    }
    const open = startHttpServer({ engine: engineWith(), mcp, open: true, ...address });
    await expect(open).rejects.toThrow("Cannot listen on 192.0.2.1:0");
  });

  it("answers to its own names alone, whoever calls (G21)", async () => {
    const server = await startHttpServer({
      engine: engineWith(),
      mcp,
      hostnames: ["Plasm.example"],
      host: "127.0.0.1",
      port: 0,
    });
    running.push(server);
    const asked = async (host: string) =>
      (
        await raw(
          portOf(server),
          `GET /v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        )
      ).split("\r\n")[0];
    expect(await asked("plasm.example")).toBe("HTTP/1.1 200 OK");
    expect(await asked("other.example")).toBe("HTTP/1.1 403 Forbidden");
  });

  it.each(["0.0.0.0", "::", "192.0.2.1", "example.com"])(
    "listens on loopback only, not on %s (SESS-8)",
    async (host) => {
      const engine = engineWith();
      const started = startHttpServer({ engine, mcp, host, port: 0 });
      await expect(started).rejects.toThrow("not a loopback address");
    },
  );

  it("closes after the answers that are under way, and takes no new ones", async () => {
    let finish: (() => void) | undefined;
    const entered = new Promise<void>((enter) => {
      finish = enter;
    });
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = await start({
      ping: async () => {
        finish?.();
        await held;
      },
    });
    const answer = fetch(`${server.url}/v1/health`);
    await entered;
    const closed = server.close();
    await expect(fetch(`${server.url}/v1/registry`)).rejects.toThrow();
    release?.();
    expect((await answer).status).toBe(200);
    await closed;
  });
});

describe("18.10 a server that is told to stop", () => {
  const status = async (url: string, path: string) => (await fetch(`${url}${path}`)).status;

  it("first says to who asks regularly that it is not ready, and serves meanwhile", async () => {
    const server = await start();
    const { url } = server;
    expect([await status(url, "/v1/health"), await status(url, "/v1/health")]).toEqual([200, 200]);
    const closed = server.close();
    const health = await fetch(`${url}/v1/health`);
    expect([health.status, await health.text()]).toEqual([
      503,
      expect.stringContaining("The server is being stopped."),
    ]);
    expect(await status(url, "/v1/auth/status")).toBe(200);
    await closed;
    await expect(fetch(`${url}/v1/health`)).rejects.toThrow("fetch failed");
  });

  it("says so to who asks whether it is ready, and counts that as asking (OPS-59)", async () => {
    const server = await start();
    const { url } = server;
    expect([await status(url, "/v1/ready"), await status(url, "/v1/ready")]).toEqual([200, 200]);
    const closed = server.close();
    const ready = await fetch(`${url}/v1/ready`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining("The server is being stopped."),
    ]);
    expect(await status(url, "/v1/auth/status")).toBe(200);
    await closed;
  });

  it("stops at once where nobody asks", async () => {
    const server = await start();
    expect(await status(server.url, "/v1/health")).toBe(200);
    const closed = server.close();
    await expect(fetch(`${server.url}/v1/auth/status`)).rejects.toThrow("fetch failed");
    await closed;
  });
});

describe("a run that is under way when the server is told to stop", () => {
  it("is answered: the engine cancels it, and its connection stays open until then", async () => {
    let cancel: (() => void) | undefined;
    const cancelled = new Promise<void>((resolve) => (cancel = resolve));
    let enter: (() => void) | undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const graces: number[] = [];
    const server = await start({
      run: async () => {
        enter?.();
        await cancelled;
        throw fail("plasm-run-failed", "failed at n2: cancelled");
      },
      drain: async (graceMs) => {
        graces.push(graceMs);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        cancel?.();
      },
    });
    const answer = fetch(`${server.url}/execute/a/b`, {
      method: "POST",
      headers: { "content-type": "text/plain", accept: "text/plain" },
      body: "Boat",
    });
    await entered;
    const closed = server.close();
    const problem = await problemIn(await answer);
    expect([problem.status, problem.detail]).toEqual([422, "failed at n2: cancelled"]);
    await closed;
    expect(graces).toEqual([5_000]);
  });
});

describe("requests that are no HTTP (SURF-18)", () => {
  it.each([
    ["nonsense\r\n\r\n", 400],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 413],
    ["GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ])("%j is answered as a problem", async (bytes, status) => {
    const text = await raw(portOf(await start()), bytes);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${status}`);
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(JSON.parse(body)).toMatchObject({ status });
  });

  it("an expectation that cannot be met is no reason to refuse", async () => {
    const request =
      "GET /v1/health HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nConnection: close\r\n\r\n";
    expect(await raw(portOf(await start()), request)).toContain("HTTP/1.1 200");
  });

  it("a body that is too large is a problem over a socket, too", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/v1/discover`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "x".repeat(5 * 1024 * 1024),
    });
    expect((await problemIn(response)).status).toBe(413);
  });
});

describe("18.19 what one client can take of a server", () => {
  it("guessed keys wait, over HTTP and MCP alike, while who is known goes on", async () => {
    const good = "a".repeat(40);
    const caller = { scope: "acme", subject: "ann", connection: null };
    const auth = createAuthenticator({
      mode: "required",
      keys: { recordOf: async () => null },
      tokens: {
        issuers: [],
        verify: async (token) => {
          if (token === good) return { caller, roles: ["agent" as const] };
          throw fail("plasm-unauthenticated", "The token is not accepted.");
        },
      },
    });
    const engine = engineWith({ registry: async () => [] });
    const server = await startHttpServer({ engine, mcp, auth, host: "127.0.0.1", port: 0 });
    running.push(server);
    const ask = async (path: string, token: string): Promise<Response> =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask("/v1/registry", good)).status).toBe(200);
    const told: number[] = [];
    // What nobody looks at proves nothing: no such request makes a guess a known credential.
    const unasked = ["/v1/health", "/v1/openapi.json", "/nowhere", "/console"];
    for (let n = 0; n < 150; n += 1) await ask(unasked[n % unasked.length] ?? "", `guess${n}`);
    for (let n = 0; n < 150; n += 1) {
      const { status } = await ask(n % 2 === 0 ? "/v1/registry" : "/mcp", `guess${n}`);
      told.push(status);
    }
    expect(new Set(told)).toEqual(new Set([401, 429]));
    const refused = await ask("/v1/registry", "one more");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await problemIn(refused)).toMatchObject({ code: "plasm-rate-limited", retryable: true });
    expect((await ask("/v1/registry", good)).status).toBe(200);
  });

  it("headers and bodies that come in drips are cut off, and others are answered meanwhile", async () => {
    const limits = {
      headersMs: 200,
      requestMs: 400,
      checkEveryMs: 50,
      connections: 40,
      headers: 100,
    };
    const server = await start({}, 0, limits);
    const ended: Promise<string>[] = [];
    const dripping = (bytes: string): void => {
      ended.push(
        new Promise((resolve) => {
          const socket = connect(portOf(server), "127.0.0.1");
          socket.write(bytes);
          const drip = setInterval(() => socket.write("a"), 20);
          let text = "";
          socket.setEncoding("utf8");
          socket.on("data", (chunk: string) => (text += chunk));
          socket.on("error", () => undefined);
          socket.on("close", () => {
            clearInterval(drip);
            resolve(text);
          });
        }),
      );
    };
    for (let n = 0; n < 10; n += 1) dripping("GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ");
    for (let n = 0; n < 10; n += 1) {
      dripping(
        "POST /v1/discover HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
      );
    }
    expect((await fetch(`${server.url}/v1/health`)).status).toBe(200);
    for (const text of await Promise.all(ended)) expect(text).toMatch(/too long|^$/);
  });

  const asking = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;

  /** Connections that the server has accepted, and what each is told until it is closed. */
  async function accepted(server: HttpServer, count: number) {
    const opened = Array.from({ length: count }, async () => {
      const socket = connect(portOf(server), "127.0.0.1");
      let text = "";
      socket.setEncoding("utf8");
      socket.on("data", (chunk: string) => (text += chunk));
      socket.on("error", () => undefined);
      const told = new Promise<string>((resolve) => socket.on("close", () => resolve(text)));
      await new Promise((resolve) => socket.once("connect", resolve));
      return { socket, told };
    });
    const all = await Promise.all(opened);
    // One that is answered was accepted after all of them.
    await fetch(`${server.url}/v1/unknown`);
    return all;
  }

  it("calls that arrive at once are begun one in each round of the loop, and health before them", async () => {
    const begun: string[] = [];
    const server = await start({
      registry: async () => {
        begun.push("call");
        return [];
      },
      ping: async () => void begun.push("health"),
    });
    const crowd = await accepted(server, 100);
    begun.length = 0;
    for (const { socket } of crowd.slice(1)) socket.write(asking("/v1/registry"));
    crowd[0]?.socket.write(asking("/v1/health"));
    const texts = await Promise.all(crowd.map(({ told }) => told));
    expect(texts.filter((text) => text.startsWith("HTTP/1.1 200"))).toHaveLength(100);
    expect(begun).toHaveLength(100);
    expect(begun.indexOf("health")).toBeLessThan(20);
  });

  it("time for which the server itself stood still is not counted against a request", async () => {
    const limits = { ...SERVER_LIMITS, headersMs: 300, requestMs: 400, checkEveryMs: 20 };
    const server = await start({}, 0, limits);
    const [one] = await accepted(server, 1);
    // Its request lies in the socket all the while, and the server's checks are due first when it goes on.
    one?.socket.write(asking("/v1/health"));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    expect(await one?.told).toMatch(/^HTTP\/1.1 200/);
    const [idle] = await accepted(server, 1);
    expect(await idle?.told).toMatch(/too long|^$/);
  });

  it("connections beyond the most are closed, and there is room again when one ends", async () => {
    const limits = { ...SERVER_LIMITS, connections: 3 };
    const server = await start({}, 0, limits);
    const open = (): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = connect(portOf(server), "127.0.0.1", () => resolve(socket));
      });
    const held = [await open(), await open(), await open()];
    const asked = "GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    // Each is accepted by the server, in order, before the next.
    await expect.poll(async () => raw(portOf(server), asked).catch(() => "")).toBe("");
    held.pop()?.destroy();
    await expect.poll(async () => raw(portOf(server), asked).catch(() => "")).toContain("200 OK");
    for (const socket of held) socket.destroy();
  });

  it("a request with more headers than anybody needs is refused, with that reason", async () => {
    const server = await start();
    const many = Array.from({ length: 150 }, (_, n) => `X-${n}: a\r\n`).join("");
    const text = await raw(
      portOf(server),
      `GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${many}\r\n`,
    );
    expect(text).toContain("413");
    expect(text).toContain("headers");
  });
});
