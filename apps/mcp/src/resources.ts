import { REGISTRY_URI } from "@plasm/agent-core";

/** What `resources/list` shows (SURF-10). */
export const RESOURCES = Object.freeze([
  {
    uri: REGISTRY_URI,
    name: "registry",
    description: "Catalogs you may use",
    mimeType: "application/json",
  },
]);

/** What `resources/templates/list` shows (SURF-10). */
export const RESOURCE_TEMPLATES = Object.freeze([
  {
    uriTemplate: "plasm://session/{logical_session_ref}/r/{n}",
    name: "snapshot",
    description: "A result with all its rows",
    mimeType: "application/json",
  },
  {
    uriTemplate: "plasm://session/{logical_session_ref}/table",
    name: "table",
    description: "All symbol tables of a session",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "plasm://session/{logical_session_ref}/g/{graft_id}",
    name: "graft",
    description: "An attached document",
  },
  {
    uriTemplate: "plasm://session/{logical_session_ref}/g",
    name: "grafts",
    description: "All attached documents of a session, a line each",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "plasm://execute/{prompt_hash}/{session_id}/run/{run_id}",
    name: "run",
    description: "A result, by its run id",
    mimeType: "application/json",
  },
]);
