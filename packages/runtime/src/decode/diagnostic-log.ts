import type { RunDiagnostic, RunDiagnosticCode } from "../diagnostic.ts";

/** Collects what was odd about one node; equal entries are counted, the first row is kept (RUN-003). */
export interface DiagnosticLog {
  add(code: RunDiagnosticCode, detail: string, row?: number): void;
  has(code: RunDiagnosticCode): boolean;
  entries(): readonly RunDiagnostic[];
}

/** An empty log for the diagnostics of one node; details are redacted as they come (RUN-142). */
export function createDiagnosticLog(
  node: string,
  redact: (text: string) => string = (text) => text,
): DiagnosticLog {
  const found = new Map<string, RunDiagnostic>();
  return Object.freeze({
    add(code: RunDiagnosticCode, what: string, row?: number) {
      const detail = redact(what);
      const key = `${code} ${detail}`;
      const known = found.get(key);
      const first = known?.row ?? row;
      const count = (known?.count ?? 0) + 1;
      const place = first === undefined ? {} : { row: first };
      found.set(key, Object.freeze({ code, node, ...place, count, detail }));
    },
    has: (code: RunDiagnosticCode) => [...found.values()].some((entry) => entry.code === code),
    entries: () => [...found.values()],
  });
}
