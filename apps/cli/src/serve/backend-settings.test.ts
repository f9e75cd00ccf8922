import { expect, it } from "vitest";
import { backendSettings } from "./backend-settings.ts";

it("names the backends of loaded catalogs that were moved, and none with a secret in it", () => {
  const env = {
    PLASM_BACKEND_QUAY: "http://127.0.0.1:4900",
    PLASM_BACKEND_YARD: "http://me:pw@127.0.0.1:4901",
    PLASM_BACKEND_DEPOT: "http://127.0.0.1:4902/?key=abc",
    PLASM_BACKEND_ORCHARD: "http://127.0.0.1:4903",
    OTHER: "x",
  };
  expect(backendSettings(["quay", "yard", "depot"], env)).toEqual({
    PLASM_BACKEND_QUAY: "http://127.0.0.1:4900",
  });
  expect(backendSettings(["quay"], {})).toEqual({});
});
