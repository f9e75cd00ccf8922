import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Sends what no page may send through fetch: a Host of one's own. */
const send = ({ method, path, headers = {}, body }: Sent): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, world().url), { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers["content-type"] ?? "",
          body: text,
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });

const SESSION = `/execute/${"a".repeat(64)}/${"b".repeat(32)}`;
const open = { intent: "a page's intent", seeds: [{ api: "quay", entity: "Boat" }] };
const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "plasm_context", arguments: open },
};

const ROUTES: readonly Sent[] = [
  { method: "GET", path: "/v1/health" },
  { method: "GET", path: "/v1/registry" },
  { method: "GET", path: "/v1/registry/quay" },
  { method: "POST", path: "/v1/discover", body: JSON.stringify({ intent: "boats" }) },
  { method: "POST", path: "/execute", body: JSON.stringify(open) },
  { method: "GET", path: SESSION },
  { method: "POST", path: SESSION, body: JSON.stringify({ program: "Boat" }) },
  { method: "POST", path: `${SESSION}/context`, body: JSON.stringify({ seeds: open.seeds }) },
  { method: "POST", path: "/mcp", body: JSON.stringify(call) },
  { method: "GET", path: "/mcp" },
  { method: "GET", path: "/no/such/route" },
];

const JSON_TYPE = { "content-type": "application/json" };
const accepts = { accept: "application/json, text/event-stream" };

describe("callers that no page may be", () => {
  test.each(ROUTES)("G21 $method $path refuses a foreign Host or Origin", async (route) => {
    const foreign = [
      { host: "evil.example" },
      { host: `evil.example:${new URL(world().url).port}` },
      { host: "127.0.0.1.evil.example" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ];
    for (const headers of foreign) {
      const answered = await send({ ...route, headers: { ...JSON_TYPE, ...accepts, ...headers } });
      expect(answered.status, JSON.stringify(headers)).toBe(403);
      expect(answered.type).toBe("application/problem+json");
      expect(JSON.parse(answered.body)).toMatchObject({ code: "plasm-policy-denied" });
    }
  });

  test.each(ROUTES.filter(({ body }) => body !== undefined))(
    "G21 $method $path refuses JSON sent as text",
    async (route) => {
      for (const type of [
        "text/plain",
        "text/plain;charset=UTF-8",
        "application/x-www-form-urlencoded",
      ]) {
        const answered = await send({ ...route, headers: { ...accepts, "content-type": type } });
        expect(answered.status, type).toBe(415);
      }
    },
  );

  test("G21 none of them opened a session or reached an API", async () => {
    world().apis.forgetRequests();
    const agent = await world().agent("MCP 2026 over HTTP");
    const { meta } = await agent.context({ intent: open.intent, seeds: open.seeds });
    expect(meta).toMatchObject({ reused: false, logical_session_ref: "s0" });
    expect(world().apis.requests).toEqual([]);
  });

  test.each(["localhost", "127.0.0.1", "[::1]"])(
    "a Host of this machine, %s, may call",
    async (host) => {
      expect((await send({ method: "GET", path: "/v1/health", headers: { host } })).status).toBe(
        200,
      );
    },
  );
});
