import { expect, test } from "vitest";
import { LOCAL } from "../identity/caller.ts";
import { keepingVariables } from "./kept-variables.ts";

test("RUN-105: what a hook set serves the session's later runs, and no other session", () => {
  const hosts = new Map([["quay", { share_token: "host", base_token: "base" }]]);
  const secretsOf = keepingVariables(() => ({ credentials: { tenant: "t" }, variables: hosts }));
  secretsOf(LOCAL, "s1").keep?.("quay", { share_token: "set" });
  secretsOf(LOCAL, "s1").keep?.("yard", { hall: "h" });
  const variables = (session: string) => [...(secretsOf(LOCAL, session).variables ?? [])];
  expect(variables("s1")).toEqual([
    ["quay", { share_token: "set", base_token: "base" }],
    ["yard", { hall: "h" }],
  ]);
  expect(variables("s2")).toEqual([...hosts]);
  const other = { ...LOCAL, scope: "another" };
  expect([...(secretsOf(other, "s1").variables ?? [])]).toEqual([...hosts]);
});
