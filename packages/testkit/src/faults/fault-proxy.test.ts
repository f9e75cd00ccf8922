import { afterEach, expect, test } from "vitest";
import { jsonAnswer } from "./answer.ts";
import type { FaultRule } from "./fault.ts";
import {
  badUtf8,
  drip,
  gzipBomb,
  hugeBody,
  redirectTo,
  refusal,
  RESET,
  resetInBody,
  SILENCE,
  tooManyRequests,
} from "./named-faults.ts";
import { requestText } from "./received.ts";
import { type Behind, type FaultProxy, startFaultProxy } from "./start-fault-proxy.ts";

const open: FaultProxy[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((proxy) => proxy.close()));
});

async function proxyOf(behind: Behind, rules: readonly FaultRule[] = []): Promise<FaultProxy> {
  const proxy = await startFaultProxy(behind, rules);
  open.push(proxy);
  return proxy;
}

const HELLO: Behind = ({ url }) => jsonAnswer({ url }, 200, { "x-own": "1" });
const get = (proxy: FaultProxy, path = "/x", init: RequestInit = {}) =>
  fetch(proxy.url + path, { redirect: "manual", ...init });

test("without a rule all goes through as it is, and is written down", async () => {
  const behind = await proxyOf(HELLO);
  const proxy = await proxyOf(behind.url);
  const init = { method: "POST", headers: { authorization: "Bearer k" }, body: "né" };
  const response = await get(proxy, "/a?b=c", init);
  expect([response.status, response.headers.get("x-own"), await response.json()]).toEqual([
    200,
    "1",
    { url: "/a?b=c" },
  ]);
  for (const server of [proxy, behind]) {
    expect(server.requests).toMatchObject([
      { number: 1, method: "POST", path: "/a", body: "né", headers: { authorization: "Bearer k" } },
    ]);
  }
  expect(proxy.requests.map(requestText).join("")).toMatch(/POST \/a\?b=c[^]*Bearer k[^]*né/);
});

test("a rule is for the requests it names, by path, method and number", async () => {
  const proxy = await proxyOf(HELLO, [
    { fault: refusal(500), on: { path: "/a", first: 1 } },
    { fault: refusal(502), on: { path: /^\/b/, after: 1, first: 1 } },
    { fault: refusal(503), on: { method: "PUT" } },
  ]);
  const statuses = async (...paths: readonly string[]): Promise<readonly number[]> => {
    const seen: number[] = [];
    for (const path of paths) seen.push((await get(proxy, path)).status);
    return seen;
  };
  expect(await statuses("/a", "/a", "/b", "/b1", "/b2", "/c")).toEqual([
    500, 200, 200, 502, 200, 200,
  ]);
  expect((await get(proxy, "/c", { method: "PUT" })).status).toBe(503);
  proxy.follow([]);
  expect(await statuses("/a")).toEqual([200]);
  expect(proxy.requests).toHaveLength(1);
});

test("before or after: whether what is behind did it", async () => {
  const proxy = await proxyOf(HELLO, [
    { fault: RESET, on: { path: "/before" } },
    { fault: RESET, on: { path: "/after" }, when: "after" },
  ]);
  await expect(get(proxy, "/before")).rejects.toThrow("fetch failed");
  expect(proxy.passed).toEqual([]);
  await expect(get(proxy, "/after")).rejects.toThrow("fetch failed");
  expect(proxy.passed).toHaveLength(1);
});

test("answers: Retry-After, redirects, bad UTF-8", async () => {
  const proxy = await proxyOf(HELLO, [
    { fault: tooManyRequests("7"), on: { path: "/429" } },
    { fault: redirectTo("https://a.example/", 307), on: { path: "/307" } },
    { fault: badUtf8('"a', '"'), on: { path: "/bad" } },
  ]);
  const limited = await get(proxy, "/429");
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
  const moved = await get(proxy, "/307");
  expect([moved.status, moved.headers.get("location")]).toEqual([307, "https://a.example/"]);
  const bad = new Uint8Array(await (await get(proxy, "/bad")).arrayBuffer());
  expect([...bad]).toEqual([34, 97, 0xff, 0xfe, 34]);
});

test("a reset in the body comes after the head, and with less than was told", async () => {
  const proxy = await proxyOf(HELLO, [{ fault: resetInBody("[1", 10) }]);
  const response = await get(proxy);
  expect([response.status, response.headers.get("content-length")]).toEqual([200, "12"]);
  await expect(response.text()).rejects.toThrow("terminated");
});

test("silence and drip never end", async () => {
  const proxy = await proxyOf(HELLO, [
    { fault: SILENCE, on: { path: "/silence" } },
    { fault: drip(5), on: { path: "/drip" } },
  ]);
  const init = (): RequestInit => ({ signal: AbortSignal.timeout(60) });
  await expect(get(proxy, "/silence", init())).rejects.toThrow("timeout");
  const dripping = await get(proxy, "/drip");
  const reader = dripping.body?.getReader();
  for (let at = 0; at < 3; at++) expect(await reader?.read()).toMatchObject({ done: false });
  await reader?.cancel();
});

test("a bomb is small, and unpacks to what it says", async () => {
  const proxy = await proxyOf(HELLO, [{ fault: gzipBomb(32) }]);
  const response = await fetch(proxy.url, { headers: { "accept-encoding": "gzip" } });
  expect((await response.arrayBuffer()).byteLength).toBe(32 * 1024 * 1024);
  expect(proxy.bytesOut).toBeLessThan(64 * 1024);
});

test("a huge body comes whole to who takes it, and stops for who does not", async () => {
  const proxy = await proxyOf(HELLO, [{ fault: hugeBody(2) }]);
  expect((await (await get(proxy)).arrayBuffer()).byteLength).toBe(2 * 1024 * 1024);
  proxy.follow([{ fault: hugeBody(64) }]);
  const response = await get(proxy);
  await response.body?.cancel();
  expect(proxy.bytesOut).toBeLessThan(32 * 1024 * 1024);
});
