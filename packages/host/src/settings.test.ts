import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HostStartError } from "./environment.ts";
import { graftRemarks, graftsFrom, originsFrom, SETTINGS, unknownSettings } from "./settings.ts";

describe("RUN-100: where sessions are is a setting", () => {
  it("reads what is set, without a final slash", () => {
    expect(originsFrom({})).toEqual({});
    const env = { PLASM_UI_ORIGIN: " https://ui.example/ ", PLASM_TRANSPORT_ORIGIN: "" };
    expect(originsFrom(env)).toEqual({ ui: "https://ui.example" });
    expect(originsFrom({ PLASM_TRANSPORT_ORIGIN: "http://127.0.0.1:4800" })).toEqual({
      transport: "http://127.0.0.1:4800",
    });
  });

  it.each(["ui.example", "https://ui.example/path", "https://me@ui.example", "ftp://ui.example"])(
    "refuses %s by the setting's name",
    (text) => {
      const reading = () => originsFrom({ PLASM_UI_ORIGIN: text });
      expect(reading).toThrow(HostStartError);
      expect(reading).toThrow("PLASM_UI_ORIGIN must be an origin");
      expect(reading).toThrow(`got "${text}".`);
    },
  );
});

const URL_SET = { PLASM_GRAFT_URL: "http://127.0.0.1:1/sets?key=k" };

it("D13 GRAFT-4 the profile is default unless it is set, and then no provider is asked", () => {
  const none = { profile: "default", provider: null };
  expect(graftsFrom({})).toEqual(none);
  expect(graftsFrom({ ...URL_SET, PLASM_PROFILE: " " })).toEqual(none);
  expect(graftsFrom({ ...URL_SET, PLASM_PROFILE: "default" })).toEqual(none);
  expect(graftsFrom({ PLASM_PROFILE: "field" })).toEqual({ profile: "field", provider: null });
});

it("D21 the provider's address comes from PLASM_GRAFT_URL", async () => {
  const { profile, provider } = graftsFrom({ ...URL_SET, PLASM_PROFILE: "field" });
  expect([profile, provider === null]).toEqual(["field", false]);
  await provider?.close();
});

it.each([
  [{ PLASM_PROFILE: "a b" }, "PLASM_PROFILE must be 1 to 64 letters"],
  [{ PLASM_GRAFT_URL: "sets.yaml" }, "PLASM_GRAFT_URL must be an http or https address"],
  [{ PLASM_GRAFT_URL: "file:///etc/passwd" }, "PLASM_GRAFT_URL must be an http or https address"],
  [
    { PLASM_GRAFT_URL: "http://u:secret@a.example" },
    "PLASM_GRAFT_URL must be an http or https address",
  ],
  [{ PLASM_GRAFT_URL: "http://a.example/#x" }, "PLASM_GRAFT_URL must be an http or https address"],
])("refuses %j", (env, said) => {
  expect(() => graftsFrom(env)).toThrow(said);
  expect(() => graftsFrom(env)).not.toThrow("secret");
});

it.each<[Readonly<Record<string, string>>, string | null]>([
  [{}, null],
  [{ PLASM_PROFILE: "default" }, null],
  [{ ...URL_SET, PLASM_PROFILE: "field" }, null],
  [URL_SET, "no effect while the profile is default. Set PLASM_PROFILE"],
  [{ ...URL_SET, PLASM_PROFILE: "default" }, "no effect while the profile is default"],
  [{ PLASM_PROFILE: "field" }, "PLASM_PROFILE=field has no effect without a provider of grafts"],
])("GRAFT-4 the start says of %j: %s", (env, said) => {
  const remarks = graftRemarks(env);
  expect(remarks).toHaveLength(said === null ? 0 : 1);
  expect(remarks.join()).toContain(said ?? "");
  // A query may hold a key.
  expect(remarks.join()).not.toContain("127.0.0.1");
});

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

it("a setting that is misspelt is told, with the one that was meant", () => {
  const env = { PLASM_BUGDET_ROWS: "5", PLASM_COLOUR: "red", PLASM_LOG: "warn", PATH: "/bin" };
  expect(unknownSettings(env)).toEqual([
    "PLASM_BUGDET_ROWS is not a setting of plasm and has no effect; did you mean PLASM_BUDGET_ROWS?",
    "PLASM_COLOUR is not a setting of plasm and has no effect",
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
