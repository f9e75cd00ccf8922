/** What the test's Prometheus watches. */
export interface Watched {
  /** host and port of the Prometheus itself, of a program that answers, and of nobody */
  readonly self: string;
  readonly shop: string;
  readonly nobody: string;
}

const job = (job_name: string, target: string, more: object = {}): object => ({
  job_name,
  static_configs: [{ targets: [target] }],
  ...more,
});

/** Configuration in YAML, which JSON is: two jobs that answer, one that does not, one that is dropped. */
export const configuration = ({ self, shop, nobody }: Watched): string =>
  JSON.stringify({
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yml"],
    alerting: {
      alertmanagers: [
        { static_configs: [{ targets: [nobody] }] },
        {
          static_configs: [{ targets: ["127.0.0.1:2"] }],
          relabel_configs: [{ action: "drop", source_labels: ["__address__"], regex: ".*" }],
        },
      ],
    },
    scrape_configs: [
      job("prometheus", self),
      job("shop", shop),
      job("gone", nobody),
      job("retired", "127.0.0.1:1", {
        relabel_configs: [{ action: "drop", source_labels: ["__address__"], regex: ".*" }],
      }),
    ],
  });

/** With one more series it is two of the same labels, on which nothing can be matched. */
const TWO = `label_replace(vector(1), "twin", "yes", "", "")`;

/** A recording rule, and alerts that fire, cannot fire, wait, and fail. */
export const RULES = JSON.stringify({
  groups: [
    {
      name: "shop",
      interval: "1s",
      rules: [
        {
          record: "service:errors:ratio",
          expr: `sum by (service) (shop_requests_total{code="500"}) / sum by (service) (shop_requests_total)`,
        },
        {
          alert: "InstanceDown",
          expr: "up == 0",
          labels: { severity: "page" },
          annotations: { summary: "{{ $labels.job }} is down", description: "Nobody answers." },
        },
        {
          alert: "ManyErrors",
          expr: "service:errors:ratio > 0.02",
          for: "1h",
          labels: { severity: "ticket" },
        },
        { alert: "NoShop", expr: `absent(up{job="shop"})` },
      ],
    },
    {
      name: "broken",
      interval: "1s",
      rules: [{ alert: "Unmatchable", expr: `vector(1) * on () (vector(1) or ${TWO})` }],
    },
  ],
});
