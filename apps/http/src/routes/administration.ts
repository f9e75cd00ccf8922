import {
  SESSIONS_THEN,
  type SessionsThen,
  adminOf,
  fail,
  mayMonitor,
} from "@plasm/agent-core/internal";
import { METRICS_TYPE } from "@plasm/host";
import { readJsonObject } from "../wire/read-body.ts";
import { jsonResponse } from "../wire/responses.ts";
import { operatorFor } from "./approvals.ts";
import { type Route, credentialOf } from "./route.ts";

/**
 * Imports a catalog from the text of its files; new sessions of every process on the store have it (SURF-16,
 * RUN-180, SESS-12). Administrators' keys only.
 */
export const importCatalog: Route = {
  method: "POST",
  path: "/v1/admin/catalogs",
  access: "own",
  handle: async ({ administrators: { keys, catalogs }, request, requestId }) => {
    const by = { ...(await adminOf(keys, credentialOf(request), null)), requestId };
    const { record, warnings } = await catalogs.import(by, await readJsonObject(request));
    const { entryId, version, digest, at } = record;
    const answer = {
      entry_id: entryId,
      version,
      digest,
      by: by.subject,
      at: new Date(at).toISOString(),
      warnings: warnings.map(({ keyPath, ...rest }) => ({ ...rest, key_path: keyPath })),
    };
    const location = `/v1/registry/${encodeURIComponent(entryId)}`;
    return jsonResponse(answer, 201, { location });
  },
};

function sessionsThen(query: ReadonlyMap<string, string>): SessionsThen {
  const given = query.get("sessions") ?? "lose";
  const known = SESSIONS_THEN.find((one) => one === given);
  if (known !== undefined) return known;
  throw fail("plasm-bad-request", `sessions is ${SESSIONS_THEN.join(" or ")}.`);
}

const AFTER = { lose: "lost", keep: "kept" } as const;

/**
 * Withdraws what was imported of an entry id: new sessions have it no more, open ones are lost unless
 * `sessions=keep` (SESS-12). Administrators' keys only.
 */
export const withdrawCatalogRoute: Route = {
  method: "DELETE",
  path: "/v1/admin/catalogs/:entry_id",
  access: "own",
  query: ["sessions"],
  handle: async ({ administrators: { keys, catalogs }, ...call }) => {
    const { request, params, query, requestId } = call;
    const by = { ...(await adminOf(keys, credentialOf(request), null)), requestId };
    const entryId = params["entry_id"] ?? "";
    const then = sessionsThen(query);
    const { record, sessions, remains, at } = await catalogs.withdraw(by, entryId, then);
    const { version, digest } = record;
    return jsonResponse({
      entry_id: entryId,
      version,
      digest,
      by: by.subject,
      at: new Date(at).toISOString(),
      sessions: AFTER[sessions],
      on_offer: remains,
    });
  },
};

/** Sets what a tenant may do, from the next check of any server on (SURF-25). Administrators' keys only. */
export const putPolicy: Route = {
  method: "PUT",
  path: "/v1/admin/policy/:tenant",
  access: "own",
  handle: async ({ administrators: { keys, policies }, request, params, requestId }) => {
    const of = params["tenant"] ?? "";
    const { subject: by } = await adminOf(keys, credentialOf(request), of);
    const body = await readJsonObject(request);
    const { tenant, version, at } = await policies.put(by, of, body, requestId);
    return jsonResponse({ tenant, version, by, at: new Date(at).toISOString() });
  },
};

/** The figures of this process, as Prometheus reads them (OPS-44). Monitors' keys only. */
export const metricsRoute: Route = {
  method: "GET",
  path: "/metrics",
  access: "own",
  handle: async ({ administrators: { keys, metrics }, request }) => {
    await mayMonitor(keys, credentialOf(request));
    if (metrics === null) {
      throw fail(
        "plasm-unknown-route",
        "Nothing is counted here. Start the server with PLASM_METRICS=1.",
      );
    }
    const headers = { "content-type": METRICS_TYPE, "cache-control": "no-store" };
    return new Response(await metrics(), { headers });
  },
};

/** How the operator's tenant is served: policy, budgets, quotas with their use, keys, who is told (SURF-36). */
export const settings: Route = {
  method: "GET",
  path: "/v1/settings",
  access: "own",
  handle: async (call) => {
    const { scope } = await operatorFor(call);
    return jsonResponse(await call.operators.settings.read(scope));
  },
};

/** What may be done with one catalog, and how its API answered otherwise than it says (SURF-36, SURF-38). */
export const catalogSettings: Route = {
  method: "GET",
  path: "/v1/settings/catalogs/:entry_id",
  access: "own",
  handle: async (call) => {
    const { scope } = await operatorFor(call);
    return jsonResponse(
      await call.operators.settings.catalog(scope, call.params["entry_id"] ?? ""),
    );
  },
};
