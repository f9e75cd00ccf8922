import { expect, test } from "vitest";
import { startServer } from "@plasm/testkit/servers";
import { crates, depot } from "../testing/depot-catalog.ts";
import { run } from "../testing/fixture-run.ts";

/** Lists an API that answers this many rows at once. */
async function listed(count: number) {
  const items = Array.from({ length: count }, () => `{"id":1}`).join(",");
  const headers = { "content-type": "application/json" };
  const server = await startServer(() => ({ text: `{"items":[${items}]}`, headers }));
  const catalog = depot({ backend: server.url, list: "response: items_list" });
  const { nodes, results } = await run({ catalogs: [catalog], backends: {} }, [crates()]);
  await server.close();
  return { error: nodes[0]?.error ?? null, result: results[0] };
}

test("RUN-130 a page of more rows than anybody can page through is response_too_large", async () => {
  const { error } = await listed(200_000);
  expect(error?.code).toBe("response_too_large");
  expect(error?.message).toContain("One answer holds 200000 rows, more than 100000.");
});

test("RUN-130 a page of more rows than the run may take goes on behind a cursor", async () => {
  const { error, result } = await listed(12_000);
  expect(error).toBeNull();
  expect(result?.rows).toHaveLength(10_000);
  expect(result?.cursor).not.toBeNull();
});
