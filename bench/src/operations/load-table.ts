import type { LoadResult } from "./measure-load.ts";

const ms = (value: number): string => `${Math.round(value)} ms`;

const mb = (value: number | null): string => (value === null ? "?" : `${Math.round(value)} MB`);

/** A load as lines a reader compares at a glance. */
export function loadTable(loads: readonly LoadResult[]): string {
  return loads
    .map((load) => {
      const { progress_ms: progress, end_ms: end, accept_ms: accept } = load;
      return [
        `${load.name}, ${load.stepMs} ms a step: ${load.failed} failed, ${load.at_once} at once`,
        `  progress p50 ${ms(progress.p50)}, p99 ${ms(progress.p99)}, at most ${ms(progress.max)}`,
        `  end p99 ${ms(end.p99)}; acceptance p50 ${ms(accept.p50)}, p99 ${ms(accept.p99)}`,
        `  ${load.operations_per_second.toFixed(1)} operations and ${load.requests_per_second.toFixed(1)} requests a second`,
        `  memory ${load.peak_mb.map(mb).join(" and ")}; processor ${load.cpu_seconds ?? "?"} s`,
      ].join("\n");
    })
    .join("\n");
}
