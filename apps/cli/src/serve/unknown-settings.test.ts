import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SETTINGS, unknownSettings } from "./unknown-settings.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

it("a setting that is misspelt is told, with the one that was meant", () => {
  const env = { PLASM_BUGDET_ROWS: "5", PLASM_COLOUR: "red", PLASM_LOG: "warn", PATH: "/bin" };
  expect(unknownSettings(env)).toEqual([
    "PLASM_BUGDET_ROWS is no setting of plasm, and does nothing; did you mean PLASM_BUDGET_ROWS?",
    "PLASM_COLOUR is no setting of plasm, and does nothing",
  ]);
});

it("those of catalogs and issuers have any name, and one that is not set is none", () => {
  const env = { PLASM_BACKEND_MY_API: "x", PLASM_JWT_OFFICE_SECRET: "x", PLASM_OLD: undefined };
  expect(unknownSettings(env)).toEqual([]);
});

it("docs/settings.md has every one", () => {
  const page = readFileSync(`${ROOT}/docs/settings.md`, "utf8");
  // What compose.yaml and the printed session use is no setting of a server.
  const others = ["PLASM_API_KEY", "PLASM_DATABASE_PASSWORD"];
  const missing = SETTINGS.filter((name) => !page.includes(`\`${name}\``));
  expect(missing).toEqual(others);
});

it("every setting that a page or a program names is known", () => {
  const files = globSync(
    ["docs/*.md", "README.md", "Dockerfile", "{apps,packages}/*/src/**/*.ts"],
    { cwd: ROOT },
  ).filter((path) => !/\.test\.ts$|\/testing\//.test(path));
  const named = files.flatMap((path) => [
    ...readFileSync(`${ROOT}/${path}`, "utf8").matchAll(/\bPLASM_[A-Z_]*[A-Z]\b/g),
  ]);
  expect(named.length).toBeGreaterThan(50);
  // A family is named by its beginning, too.
  const whole = named
    .map(([name]) => name)
    .filter((name) => !/_(?:JWT|BACKEND|OAUTH|BUDGET|RETENTION|TEST_BUILT)$/.test(name));
  expect(unknownSettings(Object.fromEntries(whole.map((name) => [name, "1"])))).toEqual([]);
});
