import { openCatalog } from "@plasm/core";
import type { Transport, TransportOutcome, TransportRequest } from "@plasm/runtime";
import { berthsCatalog } from "@plasm/testkit";
import { type Berths, makeBerths } from "@plasm/testkit/servers";
import type { RegisteredCatalog } from "../src/ports.ts";

/** The berths of testkit as an API in memory. */
export interface BerthsApi {
  readonly transport: Transport;
  readonly berths: Berths;
  /** every request */
  readonly asked: string[];
  /** Answers in its place, or waits, until it gives null. */
  before: (asked: string) => Promise<TransportOutcome | null>;
}

export function answer(status: number, json?: unknown): TransportOutcome {
  const body = new TextEncoder().encode(json === undefined ? "" : JSON.stringify(json));
  return { ok: true, response: { status, headers: [["content-type", "application/json"]], body } };
}

export function berthsApi(berths: Berths = makeBerths()): BerthsApi {
  const send = async ({ method, url, body }: TransportRequest): Promise<TransportOutcome> => {
    const { pathname, searchParams } = new URL(url);
    api.asked.push(`${method} ${pathname}`);
    const instead = await api.before(`${method} ${pathname}`);
    if (instead !== null) return instead;
    const text = body === null ? "" : new TextDecoder().decode(body);
    const { status, json } = berths.answer(method, pathname, searchParams, text);
    return answer(status, json);
  };
  const api: BerthsApi = {
    berths,
    asked: [],
    before: async () => null,
    transport: { send, close: async () => undefined },
  };
  return api;
}

let opened: RegisteredCatalog | null = null;

/** The catalog of these berths, as a registry has it. */
export function berthsEntry(): RegisteredCatalog {
  if (opened !== null) return opened;
  const { domain, mappings } = berthsCatalog;
  const { catalog, diagnostics } = openCatalog({
    entryId: "berths",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null || catalog.dropped !== undefined || diagnostics.length > 0) {
    throw new Error(JSON.stringify(diagnostics));
  }
  opened = { catalog, domain, mappings, credentials: true };
  return opened;
}
