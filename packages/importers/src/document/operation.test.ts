import { expect, it } from "vitest";
import { authorsName } from "./operation.ts";

it.each([
  ["Add_voice_v1_voices_add_post", "post", "/v1/voices/add", "Add_voice"],
  ["read_item_items__item_id__get", "get", "/items/{item_id}", "read_item"],
  ["getBoats", "get", "/boats", "getBoats"],
  ["boats_get", "get", "/boats", "boats_get"],
  ["list_boats", "get", "/boats", "list_boats"],
  ["create_boat__boats_post", "post", "/boats", "create_boat"],
  ["", "get", "/", ""],
])("21 %s of %s %s is called %s", (operationId, method, path, name) => {
  expect(authorsName(operationId, method, path)).toBe(name);
});
