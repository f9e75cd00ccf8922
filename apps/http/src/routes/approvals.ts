import { type Operator, operatorOf, type Verdict } from "@plasm/agent-core/internal";
import { decisionBody, noArguments } from "../contract/bodies.ts";
import { credentialOf, type Route, type RouteCall } from "./route.ts";
import { jsonResponse } from "../wire/responses.ts";
import { readBy } from "../wire/read-by.ts";
import { readOptionalJsonObject } from "../wire/read-body.ts";

/** Who may use these routes: nobody else's credential does, and no server is without (OPS-36). */
export async function operatorFor({
  operators,
  request,
  requestId,
}: Pick<RouteCall, "operators" | "request" | "requestId">): Promise<Operator> {
  return { ...(await operatorOf(operators.keys, credentialOf(request))), requestId };
}

/** A page of the plans that wait for the operator's tenant, and who has how many. */
export const approvalList: Route = {
  method: "GET",
  path: "/v1/approvals",
  query: ["after", "caller"],
  access: "own",
  handle: async (call) => {
    const operator = await operatorFor(call);
    const which = {
      after: call.query.get("after") ?? null,
      subject: call.query.get("caller") ?? null,
    };
    return jsonResponse(await call.operators.approvals.page(operator, which));
  },
};

/** One plan that was put before operators, decided or not. */
export const approval: Route = {
  method: "GET",
  path: "/v1/approvals/:commit_uuid",
  access: "own",
  handle: async (call) => {
    const operator = await operatorFor(call);
    return jsonResponse(
      await call.operators.approvals.find(operator, call.params["commit_uuid"] ?? ""),
    );
  },
};

/** What takes no arguments but its path; an empty object may be sent. */
export async function refuseArguments(request: Request, of: string): Promise<void> {
  const body = await readOptionalJsonObject(request);
  if (body !== null) readBy(noArguments, body, of);
}

const deciding = (action: string, verdict: Verdict): Route => {
  const path = `/v1/approvals/:commit_uuid/${action}`;
  return {
    method: "POST",
    path,
    access: "own",
    handle: async (call) => {
      const operator = await operatorFor(call);
      const body = await readOptionalJsonObject(call.request);
      const read = body === null ? {} : readBy(decisionBody, body, `POST ${path}`);
      const { explained_at: explainedAt, ...words } = read;
      const said = explainedAt === undefined ? words : { ...words, explainedAt };
      const uuid = call.params["commit_uuid"] ?? "";
      return jsonResponse(await call.operators.approvals.decide(operator, uuid, verdict, said));
    },
  };
};

export const approve = deciding("approve", "approved");
export const reject = deciding("reject", "rejected");

/** The operations of the operator's tenant that were under way when two processes ended. */
export const setAsideList: Route = {
  method: "GET",
  path: "/v1/operations/set-aside",
  access: "own",
  handle: async (call) => {
    const operator = await operatorFor(call);
    return jsonResponse({ operations: await call.operators.setAside.list(operator) });
  },
};

const RETRY = "/v1/operations/set-aside/:operation_uuid/retry";

/** Lets one of them go on. */
export const retrySetAside: Route = {
  method: "POST",
  path: RETRY,
  access: "own",
  handle: async (call) => {
    const operator = await operatorFor(call);
    await refuseArguments(call.request, `POST ${RETRY}`);
    const uuid = call.params["operation_uuid"] ?? "";
    return jsonResponse(await call.operators.setAside.retry(operator, uuid));
  },
};
