import { expect, it } from "vitest";
import { graftRemarks, graftsFromEnv } from "./grafts-from-env.ts";

const URL_SET = { PLASM_GRAFT_URL: "http://127.0.0.1:1/sets?key=k" };

it("D13 GRAFT-4 the profile is default unless it is set, and then no provider is asked", () => {
  const none = { profile: "default", provider: null };
  expect(graftsFromEnv({})).toEqual(none);
  expect(graftsFromEnv({ ...URL_SET, PLASM_PROFILE: " " })).toEqual(none);
  expect(graftsFromEnv({ ...URL_SET, PLASM_PROFILE: "default" })).toEqual(none);
  expect(graftsFromEnv({ PLASM_PROFILE: "field" })).toEqual({ profile: "field", provider: null });
});

it("D21 the provider's address comes from PLASM_GRAFT_URL", async () => {
  const { profile, provider } = graftsFromEnv({ ...URL_SET, PLASM_PROFILE: "field" });
  expect([profile, provider === null]).toEqual(["field", false]);
  await provider?.close();
});

it.each([
  [{ PLASM_PROFILE: "a b" }, "PLASM_PROFILE=a b is no name of a profile"],
  [{ PLASM_GRAFT_URL: "sets.yaml" }, "PLASM_GRAFT_URL is no address"],
  [{ PLASM_GRAFT_URL: "file:///etc/passwd" }, "PLASM_GRAFT_URL is no address"],
  [{ PLASM_GRAFT_URL: "http://u:secret@a.example" }, "PLASM_GRAFT_URL is no address"],
  [{ PLASM_GRAFT_URL: "http://a.example/#x" }, "PLASM_GRAFT_URL is no address"],
])("refuses %j", (env, said) => {
  expect(() => graftsFromEnv(env)).toThrow(said);
  expect(() => graftsFromEnv(env)).not.toThrow("secret");
});

it.each<[Readonly<Record<string, string>>, string | null]>([
  [{}, null],
  [{ PLASM_PROFILE: "default" }, null],
  [{ ...URL_SET, PLASM_PROFILE: "field" }, null],
  [URL_SET, "the profile is default: that provider is not asked. Set PLASM_PROFILE"],
  [{ ...URL_SET, PLASM_PROFILE: "default" }, "that provider is not asked"],
  [{ PLASM_PROFILE: "field" }, "PLASM_PROFILE is field, but there is no provider of grafts"],
])("GRAFT-4 the start says of %j: %s", (env, said) => {
  const remarks = graftRemarks(env);
  expect(remarks).toHaveLength(said === null ? 0 : 1);
  expect(remarks.join()).toContain(said ?? "");
  // A query may hold a key.
  expect(remarks.join()).not.toContain("127.0.0.1");
});
