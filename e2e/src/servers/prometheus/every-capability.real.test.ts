import { describe, expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { CAPABILITY_EXAMPLES, type Facts } from "./capability-examples.ts";
import { startPrometheus } from "./start-prometheus.ts";

const SECOND = 1000;

const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const running = useStarted(async (endings) => {
  const { url, api } = await startPrometheus(endings);
  const plasm = await openCatalogEngine("prometheus", url, await endings.directory("plasm"));
  endings.add(() => plasm.close());
  const [shop] = await api.vector(`up{job="shop"}`);
  const now = Date.now();
  const facts: Facts = {
    api,
    from: instant(now - 3 * SECOND),
    at: instant(now - SECOND),
    shop: shop?.metric["instance"] ?? "",
  };
  return { plasm, facts };
});

const run = (program: string) => running().plasm.run(program);

test("every capability of the catalog has an example", () => {
  expect(Object.keys(CAPABILITY_EXAMPLES).toSorted()).toEqual(running().plasm.capabilities);
});

test.each(Object.entries(CAPABILITY_EXAMPLES))(
  "%s gives what Prometheus' own API says",
  async (capability, { program, rows }) => {
    const { facts } = running();
    const ran = await run(typeof program === "string" ? program : program(facts));
    expect(ran.capabilities).toContain(capability);
    expect(ran.results).toEqual([await rows(facts)]);
    expect(ran.results[0]).not.toHaveLength(0);
  },
);

describe("numbers lose no digit (LANG-041, RUN-033)", () => {
  test.each(["shop_drift_ratio", "shop_ledger_cents"])(
    "%s as a sample is its text",
    async (metric) => {
      const [series] = await running().facts.api.vector(metric);
      const { results } = await run(`Sample{query="${metric}"}[value.1]`);
      expect(results).toEqual([[{ "value.1": series?.value[1] }]]);
    },
  );

  test.each<[string, unknown]>([
    ["vector(0.12345678901234568)", 0.12345678901234568],
    ["vector(9007199254740991)", 9007199254740991],
    ["vector(18446744073709551616)", 18446744073709552000],
  ])("%s as a number is %s", async (query, value) => {
    expect((await run(`Value.compute(query="${query}")`)).results).toEqual([[{ value }]]);
  });

  test("NaN and infinity stay their text, with a diagnostic", async () => {
    const { results } = await run(`Value.compute(query="vector(1/0)"), Value.compute(query="up")`);
    expect(results).toEqual([[{ value: "+Inf" }], [{ value: "NaN" }]]);
  });
});

describe("refusals come in Prometheus' words", () => {
  test.each([
    [`Sample{query="sum("}`, /400.*unclosed left parenthesis/],
    [`Sample{query="1 + 1"}`, /"resultType":"scalar"/],
    [`Sample{query="up[3s]"}`, /"resultType":"matrix"/],
    [`Value.compute(query="1 + 1")`, /expected type instant vector/],
    [
      `Range{query="up", start=now-1h, end=now-2h, step="1m"}`,
      /end timestamp must not be before start/,
    ],
    [`Range{query="up", start=now-30d, end=now, step="1s"}`, /exceeded maximum resolution/],
    [`Series{match="not a selector"}`, /parse error/],
    [`Metric("up")`, /not_found/],
  ])("%s: %s", async (program, words) => {
    await expect(run(program)).rejects.toThrow(words);
  });
});

test("relations lead from metrics, labels, targets, groups and the overview", async () => {
  const { api } = running().facts;
  const { results } = await run(`m = Metric("shop_requests_total")
l = Label("service")
t = Target{pool=shop}
g = RuleGroup
o = Overview
m.samples.aggregate(n=count), m.series.aggregate(n=count), l.values[value]
t.metadata.aggregate(n=count), g.rules.aggregate(n=count), o.down[job], o.firing[name]`);
  const exposed = await api.data<readonly object[]>("targets/metadata", {
    match_target: "{job='shop'}",
  });
  expect(results).toEqual([
    [{ n: 5 }],
    [{ n: 5 }],
    [{ value: "cart" }, { value: "pay" }, { value: "search" }],
    [{ n: exposed.length }],
    [{ n: 5 }],
    [{ job: "gone" }],
    [{ name: "InstanceDown" }],
  ]);
});
