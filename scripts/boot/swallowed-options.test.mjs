import { expect, test } from "vitest";
import { refuseSwallowed } from "./swallowed-options.mjs";

test("an option that npm kept is told, with the way to say it", () => {
  const given = () => refuseSwallowed("start", { npm_config_quay_port: "4100" });
  expect(given).toThrow("npm took --quay-port for itself.");
});

test("what npm has of its own, and other tasks, pass", () => {
  expect(() => refuseSwallowed("start", { npm_config_cache: "/cache" })).not.toThrow();
  expect(() => refuseSwallowed("test", { npm_config_port: "1" })).not.toThrow();
});
