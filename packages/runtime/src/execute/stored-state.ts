import type { Json, JsonObject } from "@plasm/core";
import { isObject } from "../json-kinds.ts";
import { entityRowsFrom, storeEntityRow, unreadableCursor } from "../rows/stored-row.ts";
import type { ListState } from "./list-pages.ts";
import type { PageState } from "../paging/page-state.ts";

const isPageState = (value: Json | undefined): value is PageState & JsonObject =>
  isObject(value) && typeof value["page"] === "number" && isObject(value["values"]);

/** A list's place as JSON. */
export function storeList(state: ListState): JsonObject {
  const { page, pending, seen } = state;
  return { page: { ...page }, pending: pending.map(storeEntityRow), seen };
}

/** A list's place from its JSON. */
export function listFrom(value: Json | undefined): ListState {
  if (!isObject(value) || !isPageState(value["page"]) || !Array.isArray(value["seen"])) {
    throw unreadableCursor();
  }
  return {
    page: value["page"],
    pending: entityRowsFrom(value["pending"]),
    seen: value["seen"].filter((item) => typeof item === "string"),
  };
}
