import { describe, expect, it } from "vitest";
import { HostStartError } from "./host-start-error.ts";
import { originsFromEnv } from "./origins-from-env.ts";

describe("RUN-100: where sessions are is a setting", () => {
  it("reads what is set, without a final slash", () => {
    expect(originsFromEnv({})).toEqual({});
    const env = { PLASM_UI_ORIGIN: " https://ui.example/ ", PLASM_TRANSPORT_ORIGIN: "" };
    expect(originsFromEnv(env)).toEqual({ ui: "https://ui.example" });
    expect(originsFromEnv({ PLASM_TRANSPORT_ORIGIN: "http://127.0.0.1:4800" })).toEqual({
      transport: "http://127.0.0.1:4800",
    });
  });

  it.each(["ui.example", "https://ui.example/path", "https://me@ui.example", "ftp://ui.example"])(
    "refuses %s by the setting's name",
    (text) => {
      const reading = () => originsFromEnv({ PLASM_UI_ORIGIN: text });
      expect(reading).toThrow(HostStartError);
      expect(reading).toThrow(`PLASM_UI_ORIGIN=${text}`);
    },
  );
});
