import { type JSONRPCRequest, isSpecType } from "@modelcontextprotocol/server";

/** The resources that a `subscriptions/listen` names; null where it names none, or is not as it should be. */
export function listenedTo({ params }: JSONRPCRequest): readonly string[] | null {
  const filter = params?.["notifications"];
  return isSpecType.SubscriptionFilter(filter) ? (filter.resourceSubscriptions ?? null) : null;
}

/** The same request, of these resources alone: what it is acknowledged with says which they are. */
export const withListenedTo = (
  request: JSONRPCRequest,
  uris: readonly string[],
): JSONRPCRequest => ({
  ...request,
  params: {
    ...request.params,
    notifications: {
      ...(request.params?.["notifications"] as object),
      resourceSubscriptions: [...uris],
    },
  },
});
