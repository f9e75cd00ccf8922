import type { Catalog } from "@plasm/core";
import { createDiagnosticLog, type RunDiagnostic } from "../base/diagnostic.ts";
import { FIXED } from "../limits/limits.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { listRows } from "../decode/collection.ts";
import { decodeRow } from "../decode/decode-row.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import { parseJson } from "../decode/parse-json.ts";

/** The rows of one answer, and what was odd about them. */
export interface DecodedList {
  readonly rows: readonly EntityRow[];
  readonly diagnostics: readonly RunDiagnostic[];
}

/**
 * Decodes the JSON text that a list capability answers, as a run decodes one page of it (RUN-030 to
 * RUN-046). Throws RunFailure `decode` for a text without rows, and for a capability that has no list.
 */
export function decodeList(catalog: Catalog, name: string, body: string): DecodedList {
  const capability = catalog.cgs.capabilities.get(name);
  const entity = catalog.cgs.entities.get(capability?.entity ?? "");
  const template = catalog.cml.get(name);
  if (capability === undefined || entity === undefined || template?.transport !== "http") {
    throw new RunFailure(failure("decode", `${name} is no list of this catalog.`, "name a query"));
  }
  const parsed = parseJson(body, FIXED.jsonDepth);
  if (!parsed.ok) {
    throw new RunFailure(failure("decode", "The answer is no JSON.", "look at what the API sent"));
  }
  const log = createDiagnosticLog(name);
  const context = { catalog, log };
  const provides = capability.provides === undefined ? null : new Set(capability.provides);
  const rows = listRows(template.response, parsed.value, {}, log).map((wire, index) =>
    decodeRow(context, wire, { entity, provides, ambient: {}, requested: null, index }),
  );
  return { rows, diagnostics: log.entries() };
}
