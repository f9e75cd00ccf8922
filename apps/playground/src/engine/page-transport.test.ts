import { describe, expect, it } from "vitest";
import { pageTransport } from "./page-transport.ts";

const request = (url: string, more: object = {}) =>
  ({
    method: "GET",
    url,
    headers: [["accept", "application/json"]],
    body: null,
    allowPrivate: false,
    connectTimeoutMs: 1000,
    timeoutMs: 1000,
    maxResponseBytes: 1000,
    freshConnection: false,
    ...more,
  }) as const;

const echo = async (asked: Request): Promise<Response> =>
  Response.json({ method: asked.method, body: await asked.text() }, { status: 201 });

describe("a transport within the page (SURF-58)", () => {
  it("has what stands for an origin answer", async () => {
    const transport = pageTransport(new Map([["https://shop.invalid", echo]]));
    const body = new TextEncoder().encode("{}");
    const outcome = await transport.send(
      request("https://shop.invalid/orders?x=1", { method: "POST", body }),
    );
    if (!outcome.ok) throw new Error(outcome.failure.detail);
    expect(outcome.response.status).toBe(201);
    expect(JSON.parse(new TextDecoder().decode(outcome.response.body))).toEqual({
      method: "POST",
      body: "{}",
    });
  });

  it("reaches no other origin, unless something stands for all others", async () => {
    const apis = new Map([["https://shop.invalid", echo]]);
    const refused = await pageTransport(apis).send(request("https://example.com/"));
    expect(refused).toMatchObject({ ok: false, failure: { kind: "connect", sent: false } });
    const taken = await pageTransport(apis, echo).send(request("https://example.com/"));
    expect(taken.ok).toBe(true);
  });
});
