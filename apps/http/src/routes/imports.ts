import { adminOf } from "@plasm/agent-core";
import { credentialOf } from "../wire/credential.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { readJsonObject } from "../wire/read-body.ts";
import type { Route } from "./route.ts";

/**
 * Imports a catalog from the text of its files; new sessions of every process on the store have it (SURF-16,
 * RUN-180, SESS-12). Administrators' keys only.
 */
export const importCatalog: Route = {
  method: "POST",
  path: "/v1/admin/catalogs",
  access: "own",
  handle: async ({ administrators: { keys, catalogs }, request }) => {
    const by = await adminOf(keys, credentialOf(request));
    const { record, warnings } = await catalogs.import(by, await readJsonObject(request));
    const { entryId, version, digest, at } = record;
    const answer = {
      entry_id: entryId,
      version,
      digest,
      by,
      at: new Date(at).toISOString(),
      warnings: warnings.map(({ keyPath, ...rest }) => ({ ...rest, key_path: keyPath })),
    };
    const location = `/v1/registry/${encodeURIComponent(entryId)}`;
    return jsonResponse(answer, 201, { location });
  },
};
