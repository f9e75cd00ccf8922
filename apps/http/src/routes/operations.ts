import { OPERATION_STATES } from "@plasm/agent-core/internal";
import { jsonResponse } from "../wire/responses.ts";
import { refuseArguments } from "./approvals.ts";
import { wordIn } from "./audit.ts";
import type { Route } from "./route.ts";

/** Operations of the caller's sessions; to an operator those of all its tenant (OPS-61). */
export const operationList: Route = {
  method: "GET",
  path: "/v1/operations",
  query: ["state", "before"],
  access: "overseen",
  handle: async ({ engine, caller, query }) =>
    jsonResponse(
      await engine.operations(caller, {
        state: wordIn(query, "state", OPERATION_STATES),
        before: query.get("before") ?? null,
      }),
    ),
};

/** One of them. */
export const operationOfTenant: Route = {
  method: "GET",
  path: "/v1/operations/:operation_uuid",
  access: "overseen",
  handle: async ({ engine, caller, params }) =>
    jsonResponse(await engine.operationOf(caller, params["operation_uuid"] ?? "")),
};

const CANCEL = "/v1/operations/:operation_uuid/cancel";

/** Cancels one of them, whichever process runs it (OPS-62). */
export const operationCancel: Route = {
  method: "POST",
  path: CANCEL,
  access: "overseen",
  handle: async ({ engine, caller, request, params }) => {
    await refuseArguments(request, `POST ${CANCEL}`);
    return jsonResponse(await engine.cancelOperation(caller, params["operation_uuid"] ?? ""));
  },
};
