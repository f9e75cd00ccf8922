import type { JsonObject } from "@plasm/core";
import { catalogDirectory } from "@plasm/catalogs";
import { describe, expect, test } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import { startCountingProxy } from "../harness/counting-proxy.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import type { Surface } from "../harness/surfaces.ts";
import { startWorld } from "../harness/world.ts";
import { useStarted } from "../servers/endings.ts";
import { startPrometheus } from "../servers/prometheus/start-prometheus.ts";

const running = useStarted(async (endings) => {
  const { url, api } = await startPrometheus(endings);
  const proxy = await startCountingProxy(url);
  endings.add(() => proxy.close());
  const env = { PLASM_BACKEND_PROMETHEUS: proxy.url };
  const world = await startWorld({ catalogs: [catalogDirectory("prometheus")], env });
  endings.add(() => world.close());
  return { api, proxy, world };
});

const SURFACES: readonly Surface[] = ["MCP 2026 over HTTP", "HTTP"];

interface Discovered {
  readonly options: readonly { readonly api: string; readonly entity: string }[];
}

describe.each(SURFACES)("%s, on a real Prometheus", (surface) => {
  async function open(what: string, ...entities: readonly string[]) {
    const agent = await running().world.agent(surface);
    const seeds = seedsOf("prometheus", ...entities);
    return { agent, ...(await openSession(agent, `${surface}: ${what}`, seeds)) };
  }

  test("which targets are down: found, planned without a request, answered with one", async () => {
    const { api, proxy, world } = running();
    const agent = await world.agent(surface);
    const found = (await agent.discover({ intent: "which targets are down" })) as Discovered;
    expect(found.options.slice(0, 3)).toContainEqual(
      expect.objectContaining({ api: "prometheus", entity: "Target" }),
    );
    const { ref } = await open("targets", "Target", "Alert", "Sample");
    proxy.forgetRequests();
    const program = "Target{health=down}[job, instance, last_error]";
    const plan = await agent.plan(ref, program);
    expect([plan.meta.dry_verdict, proxy.requests]).toEqual(["ok", []]);
    const run = await agent.run(ref, program);
    expect(proxy.requests).toEqual(["GET /api/v1/targets?state=active"]);
    const { activeTargets } = await api.data<{
      readonly activeTargets: readonly (JsonObject & { readonly labels: JsonObject })[];
    }>("targets");
    const down = activeTargets.filter(({ health }) => health === "down");
    expect(run.results[0]?.rows).toEqual(
      down.map(({ labels, lastError }) => ({
        job: labels["job"],
        instance: labels["instance"],
        last_error: lastError,
      })),
    );
    expect(down).toHaveLength(1);

    // Then: since when, and does an alert tell of it.
    const next = await agent.run(
      ref,
      `Alert{state=firing, job=gone}[name, summary]\nSample{query="min_over_time(up[1m]) == 0"}[job, value.1]`,
    );
    expect(next.results.map(({ rows }) => rows)).toEqual([
      [{ name: "InstanceDown", summary: "gone is down" }],
      [{ job: "gone", "value.1": "0" }],
    ]);
  });

  test("error rate by service: a mistake in PromQL comes back in its words, then the numbers", async () => {
    const { api } = running();
    const { agent, ref } = await open(
      "error rate",
      "Metric",
      "LabelValue",
      "Sample",
      "Range",
      "Value",
    );
    const names = await agent.run(ref, `Metric{name~"requests", matching="{job='shop'}"}`);
    expect(names.results[0]?.rows).toEqual([{ name: "shop_requests_total" }]);
    const services = await agent.run(ref, `LabelValue{label=service}[value]`);
    expect(services.results[0]?.rows.map(({ value }) => value)).toEqual(["cart", "pay", "search"]);

    const ratio = (open: string) =>
      `sum by (service) (shop_requests_total{code=~'5..'}) / sum by (service) (shop_requests_total)${open}`;
    const wrong = await failureOf(agent.run(ref, `Sample{query="${ratio(" > ")}"}`));
    expect(wrong.problem.errors[0]).toMatchObject({ code: "upstream_error" });
    expect(wrong.message).toMatch(/answered 400: .*parse error/);

    const right = await agent.run(
      ref,
      `Sample{query="sort_desc(${ratio("")})"}[labels.service, value.1]`,
    );
    const told = await api.vector(`sort_desc(${ratio("")})`);
    expect(right.results[0]?.rows).toEqual(
      told.map(({ metric, value }) => ({
        "labels.service": metric["service"],
        "value.1": value[1],
      })),
    );
    expect(right.results[0]?.rows).toHaveLength(2);

    const history = await agent.run(
      ref,
      `h = Range{query="${ratio("")}", start=now-1m, end=now, step="1s"}
worst = Value.compute(query="max(${ratio("")})")
h[labels.service, points], worst`,
    );
    const [series, worst] = history.results;
    expect(series?.rows.map((row) => row["labels.service"])).toEqual(["cart", "search"]);
    const [cart] = series?.rows ?? [];
    const points = cart?.["points"] as readonly (readonly [number, string])[];
    expect(points.map(([, value]) => value)).toEqual(points.map(() => "0.03"));
    expect(points.length).toBeGreaterThan(1);
    expect(worst?.rows).toEqual([{ value: 0.03 }]);
  });

  test("what fires is written down in another API: read, rendered, sent once", async () => {
    const { world } = running();
    const agent = await world.agent(surface);
    const seeds = [...seedsOf("prometheus", "Alert", "Value"), ...seedsOf("quay", "Boat")];
    const { ref } = await openSession(agent, `${surface}: hand over`, seeds);
    const program = `firing = Alert{state=firing}.sort(name)
targets = Value.compute(query="count(up)")
note = firing <<T
{{ rows | length }} of {{ targets.value }} targets: {% for a in rows %}{{ a.name }} ({{ a.severity }}) {{ a.job }}{% endfor %}
T
Boat("b1").send(to="ann", note=note.content)`;
    const plan = await agent.plan(ref, program);
    expect(plan.meta.dry_verdict).toBe("review");
    world.apis.forgetRequests();
    await agent.run(ref, program, { plan_commit_ref: plan.meta.plan_commit_ref });
    const sent = world.apis.requests.filter(({ method }) => method !== "GET");
    expect(sent).toMatchObject([{ api: "quay", method: "POST" }]);
    expect(JSON.stringify(sent)).toContain("1 of 3 targets: InstanceDown (page) gone");
  });

  test("is everything fine: one row, its relations without a further request", async () => {
    const { proxy } = running();
    const { agent, ref } = await open("overview", "Overview", "Target", "Alert");
    proxy.forgetRequests();
    const run = await agent.run(
      ref,
      "o = Overview\no[targets, alerts, config_ok], o.down[job], o.firing[name]",
    );
    expect(run.results.map(({ rows }) => rows)).toEqual([
      [{ targets: 3, alerts: 2, config_ok: true }],
      [{ job: "gone" }],
      [{ name: "InstanceDown" }],
    ]);
    expect(proxy.requests.toSorted()).toEqual([
      "GET /api/v1/alerts",
      "GET /api/v1/status/buildinfo",
      "GET /api/v1/status/runtimeinfo",
      "GET /api/v1/targets?state=active",
    ]);
  });
});
