import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PROBLEMS } from "@plasm/agent-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fencesOf, pageWith, requestsOf } from "./guide-page.ts";
import { startGuideServer, type GuideServer } from "./guide-server.ts";
import { holdGuide, type Held } from "./hold-guide.ts";

const PAGE = join(import.meta.dirname, "../../../docs/http.md");

let server: GuideServer;
let page: string;
let held: readonly Held[];

beforeAll(async () => {
  [server, page] = await Promise.all([startGuideServer(), readFile(PAGE, "utf8")]);
  held = await holdGuide(server, requestsOf(page));
}, 120_000);
afterAll(() => server.close());

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Every route of the server, from its own document. */
async function routes(): Promise<readonly (readonly [string, string])[]> {
  const { paths } = (await (await fetch(`${server.url}/v1/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );
}

/** Whether a path is of a route. */
function isOf(route: string, path: string): boolean {
  const pattern = route.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(path.replace(/\?.*/, ""));
}

describe("docs/http.md (SURF-16, SURF-17, SURF-18)", () => {
  it("its requests get the answers that stand there", async () => {
    const shown = held.map((one) => one.shown);
    await expect(pageWith(page, shown)).toMatchFileSnapshot(PAGE);
  });

  it("each of its fences is a request or its answer", () => {
    expect(held.length).toBeGreaterThan(35);
    expect(fencesOf(page)).toBe(2 * held.length);
  });

  it("every route succeeds once, in the order of none", async () => {
    const served = await routes();
    expect(served.length).toBeGreaterThan(28);
    const good = held.filter(({ status }) => status < 400);
    const without = served.filter(
      ([method, route]) =>
        // It needs an operation that ended two processes: packages/store/test/set-aside.test.ts has one.
        route !== "/v1/operations/set-aside/{operation_uuid}/retry" &&
        // Its figures are never the same twice: docs/observability.md, apps/http/src/telemetry.test.ts.
        route !== "/metrics" &&
        // They need a provider to sign in at: apps/http/src/shared-accounts.test.ts has one.
        !/^\/v1\/accounts\/./.test(route) &&
        !good.some(({ asked, path }) => asked.method === method && isOf(route, path)),
    );
    expect(without).toEqual([]);
  });

  it("its table of problems has every code with its status, and no other", () => {
    const rows = [...page.matchAll(/^\| (\d{3}) \| `(plasm-[\w-]+)` \|/gm)];
    const told = rows.map(([, status, code]) => `${code} ${status}`);
    const codes = Object.entries(PROBLEMS).map(([code, [status]]) => `${code} ${status}`);
    expect(told.toSorted()).toEqual(codes.toSorted());
  });

  it("no key of the server stands in it, nor what an answer would be known by", () => {
    for (const key of Object.values(server.keys)) expect(page).not.toContain(key);
    const shown = held.map((one) => one.shown).join("\n");
    for (const key of Object.values(server.keys)) expect(shown).not.toContain(key);
    expect(page).not.toMatch(/[0-9a-f]{64}/);
  });
});
