import { openApiDocument } from "../contract/openapi.ts";
import { jsonResponse } from "../wire/json-response.ts";
import type { Route } from "./route.ts";

/** The document of routes, itself among them; made once it is asked for. */
export function openapi(routes: readonly Route[]): Route {
  let document: object | null = null;
  const route: Route = {
    method: "GET",
    path: "/v1/openapi.json",
    access: "public",
    handle: async () => {
      document ??= openApiDocument([...routes, route]);
      return jsonResponse(document);
    },
  };
  return route;
}
