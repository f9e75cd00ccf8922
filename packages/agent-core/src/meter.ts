import { metrics } from "@opentelemetry/api";
import type { AuditLine } from "./records/audit.ts";
import type { TraceFact } from "./records/traces.ts";

/** The name under which figures of this process are counted, for whoever has set up OpenTelemetry's metrics. */
export const METER = "plasm";

/** From a fast answer to one that a person has long stopped waiting for, in seconds. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** The same of work that goes on while nobody waits. */
const LONG_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1_800, 3_600];

/** The figures of what traces are told: no label holds a tenant, a subject, a program or a value (OPS-44). */
export type CountFact = (fact: TraceFact) => void;

/** The class of a status, as `2xx`; `none` where no response came. */
const statusClass = (status: number | null): string =>
  status === null ? "none" : `${Math.floor(status / 100)}xx`;

/** Counts what happens in runs of this process. Nothing is counted where nobody has set up metrics. */
export function factCounter(): CountFact {
  const meter = metrics.getMeter(METER);
  const requests = meter.createHistogram("plasm.api.request.duration.seconds", {
    unit: "s",
    description: "Requests to APIs, each attempt, by catalog, method and class of status.",
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const steps = meter.createCounter("plasm.steps", {
    description: "Steps of runs, by catalog, kind and how they ended.",
  });
  const rows = meter.createCounter("plasm.rows", {
    description: "Rows that steps of runs gave, by catalog.",
  });
  const operations = meter.createHistogram("plasm.operation.duration.seconds", {
    unit: "s",
    description: "Operations that have ended, by state.",
    advice: { explicitBucketBoundaries: LONG_SECONDS },
  });
  return (fact) => {
    switch (fact.type) {
      case "request": {
        const { entry_id: catalog, method, status, attempt } = fact;
        const labels = { catalog, method, status: statusClass(status), retry: attempt > 1 };
        requests.record(fact.ms / 1_000, labels);
        return;
      }
      case "node": {
        const catalog = fact.entry_id ?? "";
        steps.add(1, { catalog, kind: fact.kind, status: fact.status });
        rows.add(fact.rows, { catalog });
        return;
      }
      case "operation":
        operations.record(fact.ms / 1_000, { state: fact.state });
        return;
      // Surfaces count their calls, those too that belong to no session.
      case "call":
      case "graft":
    }
  };
}

/** Counts lines of the audit log once each, whichever process has linked them: effects, approvals, refusals, sign-ins. */
export function countAudit(lines: readonly AuditLine[]): void {
  if (lines.length === 0) return;
  const counter = metrics.getMeter(METER).createCounter("plasm.audit.lines", {
    description:
      "What audit logs say: effects, approvals, refusals and sign-ins, by kind, catalog and outcome.",
  });
  for (const { kind, entry_id, outcome } of lines) {
    counter.add(1, { kind, catalog: entry_id ?? "", outcome: outcome ?? "" });
  }
}

/** Counts attempts to tell people outside, by target and what became of them (OPS-50). */
export function countNotice(target: string, outcome: "sent" | "failed" | "given_up"): void {
  metrics
    .getMeter(METER)
    .createCounter("plasm.notices", {
      description: "Attempts to tell people of what waits and happened, by target and outcome.",
    })
    .add(1, { target, outcome });
}

/** Counts signs that an API answers otherwise than its catalog says, by catalog and sign (OPS-66). */
export function countDrift(catalog: string, sign: string, count: number): void {
  metrics
    .getMeter(METER)
    .createCounter("plasm.api.drift", {
      description: "Answers of APIs that do not fit their catalog, by catalog and sign.",
    })
    .add(count, { catalog, sign });
}
