import { adminOf } from "@plasm/agent-core";
import { credentialOf } from "../wire/credential.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { readJsonObject } from "../wire/read-body.ts";
import type { Route } from "./route.ts";

/** Sets what a tenant may do, from the next check of any server on (SURF-25). Administrators' keys only. */
export const putPolicy: Route = {
  method: "PUT",
  path: "/v1/admin/policy/:tenant",
  access: "own",
  handle: async ({ administrators: { keys, policies }, request, params }) => {
    const by = await adminOf(keys, credentialOf(request));
    const body = await readJsonObject(request);
    const { tenant, version, at } = await policies.put(by, params["tenant"] ?? "", body);
    return jsonResponse({ tenant, version, by, at: new Date(at).toISOString() });
  },
};
