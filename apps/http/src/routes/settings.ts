import { jsonResponse } from "../wire/responses.ts";
import { operatorFor } from "./approvals.ts";
import type { Route } from "./route.ts";

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
