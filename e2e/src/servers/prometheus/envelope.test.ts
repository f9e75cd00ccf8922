import type { JsonObject } from "@plasm/core";
import { expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { startHttpStub } from "../http-stub.ts";
import { CAPABILITY_EXAMPLES, type Facts } from "./capability-examples.ts";
import { prometheusApi } from "./prometheus-api.ts";

/** A server that answers 200 to everything, with the body it is told. */
const running = useStarted(async (endings) => {
  let body: JsonObject = {};
  const { url } = await startHttpStub(endings, () => ({ body }));
  const plasm = await openCatalogEngine("prometheus", url, await endings.directory("plasm"));
  endings.add(() => plasm.close());
  const answer = (next: JsonObject): void => {
    body = next;
  };
  return { url, plasm, answer };
});

const facts = (): Facts => ({
  api: prometheusApi(running().url),
  from: "2026-01-05T10:00:00Z",
  at: "2026-01-05T10:00:10Z",
  shop: "127.0.0.1:1",
});

test.each(Object.entries(CAPABILITY_EXAMPLES))(
  "%s: an error envelope under 200 is an error in its words (RUN-041)",
  async (_, { program }) => {
    const { plasm, answer } = running();
    const error = "query processing would load too many samples into memory";
    answer({ status: "error", errorType: "execution", error, data: { result: [], alerts: [] } });
    const asked = plasm.run(typeof program === "string" ? program : program(facts()));
    await expect(asked).rejects.toThrow(
      new RegExp(`upstream_error[^]*reports a failure: "${error}"`),
    );
  },
);

test("what an incomplete result lacks is told by Evaluation", async () => {
  const { plasm, answer } = running();
  const warnings = ["remote read failed: store-2 is away"];
  const result = [{ metric: { job: "shop" }, value: [1_800_000_000, "1"] }];
  answer({ status: "success", data: { resultType: "vector", result }, warnings });
  const { results } = await plasm.run(
    `Evaluation.evaluate(query="up")[type, warnings], Sample{query="up"}[job]`,
  );
  expect(results).toEqual([[{ type: "vector", warnings }], [{ job: "shop" }]]);
});
