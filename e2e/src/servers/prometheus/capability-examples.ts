import type { Json, JsonObject } from "@plasm/core";
import type { InstantSeries, PrometheusApi } from "./prometheus-api.ts";

/** What examples need to know of the running server. */
export interface Facts {
  readonly api: PrometheusApi;
  /** two instants in whole seconds, RFC 3339, with samples from one to the other */
  readonly from: string;
  readonly at: string;
  /** host and port of the sample program */
  readonly shop: string;
}

/** A program that calls a capability, and the rows that Prometheus' own API says it has. */
export interface CapabilityExample {
  readonly program: string | ((facts: Facts) => string);
  readonly rows: (facts: Facts) => Promise<readonly JsonObject[]>;
}

type Wire = JsonObject & { readonly labels: JsonObject };

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const by =
  (key: (one: JsonObject) => string) =>
  (a: JsonObject, b: JsonObject): number =>
    key(a) < key(b) ? -1 : 1;
const pick = (from: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]));

/** The columns that samples and ranges share. */
const labelled = ({
  metric,
}: {
  readonly metric: Readonly<Record<string, string>>;
}): JsonObject => ({
  name: metric["__name__"] ?? null,
  job: metric["job"] ?? null,
  instance: metric["instance"] ?? null,
  labels: metric,
});

const sampleRow = (series: InstantSeries): JsonObject => ({
  ...labelled(series),
  value: [...series.value],
});

/** Reads of values (RUN-034 knows no way into a list, so that samples keep their wire form). */
const VALUES: Readonly<Record<string, CapabilityExample>> = {
  sample_query: {
    program: ({ at }) =>
      `Sample{query="up", at=${at}}.sort(job)[name, job, instance, labels, value]`,
    rows: async ({ api, at }) =>
      (await api.vector("up", at)).map(sampleRow).toSorted(by((row) => text(row["job"]))),
  },
  range_query: {
    program: ({ from, at }) =>
      `Range{query="up", start=${from}, end=${at}, step="1s"}.sort(job)[name, job, instance, labels, points]`,
    rows: async ({ api, from, at }) => {
      const asked = { query: "up", start: from, end: at, step: "1s" };
      const { result } = await api.data<{
        readonly result: readonly (InstantSeries & { readonly values: Json })[];
      }>("query_range", asked);
      return result
        .map((series) => ({ ...labelled(series), points: series.values }))
        .toSorted(by((row) => text(row["job"])));
    },
  },
  value_compute: {
    program: `Value.compute(query="sum(shop_requests_total)")`,
    rows: async ({ api }) => {
      const [sum] = await api.vector("sum(shop_requests_total)");
      return [{ value: Number(sum?.value[1]) }];
    },
  },
  evaluation_evaluate: {
    program: ({ at }) => `Evaluation.evaluate(query="1 + 1", at=${at})[type, result, warnings]`,
    rows: async ({ api, at }) => {
      const { resultType, result } = await api.data<JsonObject>("query", {
        query: "1+1",
        time: at,
      });
      return [{ type: resultType ?? null, result: result ?? null, warnings: null }];
    },
  },
};

const metadata = (api: PrometheusApi, query: Readonly<Record<string, string>>) =>
  api.data<readonly (JsonObject & { readonly target: JsonObject })[]>("targets/metadata", query);

/** Reads of what is measured, and under which labels. */
const NAMES: Readonly<Record<string, CapabilityExample>> = {
  metric_query: {
    program: `Metric{matching="{job='shop'}", since=now-1h}[name]`,
    rows: async ({ api }) => {
      const names = await api.data<readonly string[]>("label/__name__/values", {
        "match[]": "{job='shop'}",
      });
      return names.map((name) => ({ name }));
    },
  },
  metric_get: {
    program: `Metric("shop_requests_total")[name, type, help, unit]`,
    rows: async ({ api }) => {
      const [told] = await metadata(api, { metric: "shop_requests_total" });
      return [{ name: "shop_requests_total", ...pick(told ?? {}, "type", "help", "unit") }];
    },
  },
  metadata_query: {
    program: `Metadata{metric=shop_drift_ratio, targets="{job='shop'}"}[metric, job, instance, type, help, unit, target]`,
    rows: async ({ api }) =>
      (await metadata(api, { metric: "shop_drift_ratio" })).map(({ target, ...told }) => ({
        metric: "shop_drift_ratio",
        ...pick(target, "job", "instance"),
        ...pick(told, "type", "help", "unit"),
        target,
      })),
  },
  metadata_of_target: {
    program: ({ shop }) =>
      `Metadata{job=shop, instance="${shop}"}.sort(metric)[metric, type, help, unit]`,
    rows: async ({ api }) =>
      (await metadata(api, { match_target: "{job='shop'}" }))
        .map((told) => pick(told, "metric", "type", "help", "unit"))
        .toSorted(by((row) => text(row["metric"]))),
  },
  series_query: {
    program: `Series{match="shop_requests_total", since=now-1h}[name, job, instance, labels]`,
    rows: async ({ api }) =>
      (await api.data<readonly JsonObject[]>("series", { "match[]": "shop_requests_total" })).map(
        (labels) => ({
          name: labels["__name__"] ?? null,
          ...pick(labels, "job", "instance"),
          labels,
        }),
      ),
  },
  label_query: {
    program: `Label{matching="{job='shop'}"}[name]`,
    rows: async ({ api }) =>
      (await api.data<readonly string[]>("labels", { "match[]": "{job='shop'}" })).map((name) => ({
        name,
      })),
  },
  labelvalue_query: {
    program: `LabelValue{label=service}[label, value]`,
    rows: async ({ api }) =>
      (await api.data<readonly string[]>("label/service/values")).map((value) => ({
        label: "service",
        value,
      })),
  },
};

interface Rules {
  readonly groups: readonly (JsonObject & { readonly rules: readonly Wire[] })[];
}

const ruleRow = (rule: Wire): JsonObject => ({
  ...pick(rule, "name", "type", "query", "state", "health"),
  last_error: rule["lastError"] ?? null,
  for: rule["duration"] ?? null,
  severity: rule.labels?.["severity"] ?? null,
  labels: rule.labels ?? null,
  annotations: rule["annotations"] ?? null,
});

/** Reads of what is watched, and of what is wrong. */
const WATCHED: Readonly<Record<string, CapabilityExample>> = {
  target_query: {
    program: `Target{pool in [shop, gone]}.sort(job)[pool, scrape_url, job, instance, health, last_error, interval, timeout, global_url, labels, discovered_labels]`,
    rows: async ({ api }) => {
      const { activeTargets } = await api.data<{ readonly activeTargets: readonly Wire[] }>(
        "targets",
      );
      return activeTargets
        .filter(({ scrapePool }) => scrapePool === "shop" || scrapePool === "gone")
        .map((target) => ({
          pool: target["scrapePool"] ?? null,
          scrape_url: target["scrapeUrl"] ?? null,
          ...pick(target.labels, "job", "instance"),
          health: target["health"] ?? null,
          last_error: target["lastError"] ?? null,
          interval: target["scrapeInterval"] ?? null,
          timeout: target["scrapeTimeout"] ?? null,
          global_url: target["globalUrl"] ?? null,
          labels: target.labels,
          discovered_labels: target["discoveredLabels"] ?? null,
        }))
        .toSorted(by((row) => text(row["job"])));
    },
  },
  droppedtarget_query: {
    program: `DroppedTarget[job, address, discovered_labels]`,
    rows: async ({ api }) => {
      const { droppedTargets } = await api.data<{
        readonly droppedTargets: readonly { readonly discoveredLabels: JsonObject }[];
      }>("targets");
      return droppedTargets.map(({ discoveredLabels: labels }) => ({
        job: labels["job"] ?? null,
        address: labels["__address__"] ?? null,
        discovered_labels: labels,
      }));
    },
  },
  rulegroup_query: {
    program: `RuleGroup[file, name, interval, limit]`,
    rows: async ({ api }) =>
      (await api.data<Rules>("rules")).groups.map((group) =>
        pick(group, "file", "name", "interval", "limit"),
      ),
  },
  rule_query: {
    program: `Rule{type=alerting}[name, type, query, state, health, last_error, for, severity, labels, annotations]`,
    rows: async ({ api }) =>
      (await api.data<Rules>("rules")).groups
        .flatMap(({ rules }) => rules)
        .filter(({ type }) => type === "alerting")
        .map(ruleRow),
  },
  alert_query: {
    program: `Alert.sort(name)[name, state, severity, job, instance, summary, description, active_at, value, labels, annotations]`,
    rows: async ({ api }) => {
      const { alerts } = await api.data<{
        readonly alerts: readonly (Wire & { readonly annotations: JsonObject })[];
      }>("alerts");
      return alerts
        .map((alert) => ({
          name: alert.labels["alertname"] ?? null,
          state: alert["state"] ?? null,
          ...pick(alert.labels, "severity", "job", "instance"),
          ...pick(alert.annotations, "summary", "description"),
          active_at: alert["activeAt"] ?? null,
          value: Number(alert["value"]),
          labels: alert.labels,
          annotations: alert.annotations,
        }))
        .toSorted(by((row) => text(row["name"])));
    },
  },
  alertmanager_query: {
    program: `Alertmanager`,
    rows: async ({ api }) => {
      const told =
        await api.data<Record<string, readonly { readonly url: string }[]>>("alertmanagers");
      return (told["activeAlertmanagers"] ?? []).map(({ url }) => ({ endpoint: url }));
    },
  },
  droppedalertmanager_query: {
    program: `DroppedAlertmanager`,
    rows: async ({ api }) => {
      const told =
        await api.data<Record<string, readonly { readonly url: string }[]>>("alertmanagers");
      return (told["droppedAlertmanagers"] ?? []).map(({ url }) => ({ endpoint: url }));
    },
  },
};

/** Reads of the server itself. */
const SERVER: Readonly<Record<string, CapabilityExample>> = {
  overview_query: {
    program: `Overview[version, started, config_ok, targets, target_health, alerts, alert_state]`,
    rows: async ({ api }) => {
      const { version } = await api.data<JsonObject>("status/buildinfo");
      const { startTime } = await api.data<JsonObject>("status/runtimeinfo");
      return [
        {
          version: version ?? null,
          started: startTime ?? null,
          config_ok: true,
          targets: 3,
          target_health: '{"down":1,"up":2}',
          alerts: 2,
          alert_state: '{"firing":1,"pending":1}',
        },
      ];
    },
  },
  server_build: {
    program: `Server.build()[version, revision, branch, build_user, build_date, go_version]`,
    rows: async ({ api }) => {
      const told = await api.data<JsonObject>("status/buildinfo");
      return [
        {
          ...pick(told, "version", "revision", "branch"),
          build_user: told["buildUser"] ?? null,
          build_date: told["buildDate"] ?? null,
          go_version: told["goVersion"] ?? null,
        },
      ];
    },
  },
  server_runtime: {
    program: `Server.runtime()[started, directory, config_ok, config_loaded, corruptions, max_processors, retention]`,
    rows: async ({ api }) => {
      const told = await api.data<JsonObject>("status/runtimeinfo");
      return [
        {
          started: told["startTime"] ?? null,
          directory: told["CWD"] ?? null,
          config_ok: told["reloadConfigSuccess"] ?? null,
          config_loaded: told["lastConfigTime"] ?? null,
          corruptions: told["corruptionCount"] ?? null,
          max_processors: told["GOMAXPROCS"] ?? null,
          retention: told["storageRetention"] ?? null,
        },
      ];
    },
  },
  server_config: {
    program: `Server.config()[yaml]`,
    rows: async ({ api }) => [await api.data<JsonObject>("status/config")],
  },
  server_flags: {
    program: `Server.flags()[settings]`,
    rows: async ({ api }) => [{ settings: await api.data<JsonObject>("status/flags") }],
  },
  storage_current: {
    // The rest of it changes as the server is asked.
    program: `Storage.current()[min_time]`,
    rows: async ({ api }) => {
      const { headStats } = await api.data<{ readonly headStats: JsonObject }>("status/tsdb");
      return [{ min_time: headStats["minTime"] ?? null }];
    },
  },
};

/** One example for each capability, by its name in the catalog. */
export const CAPABILITY_EXAMPLES: Readonly<Record<string, CapabilityExample>> = {
  ...VALUES,
  ...NAMES,
  ...WATCHED,
  ...SERVER,
};
