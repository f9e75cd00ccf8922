import { describe, expect, test } from "vitest";
import { Failure } from "../errors/problem.ts";
import { rightsIn, type TokenRoles, type TokenScopes } from "./token-claims.ts";

const MCP = "https://plasm.example/mcp";
const DESK = "https://plasm.example/desk";
const ROLES: TokenRoles = {
  claim: "realm.roles",
  operators: ["approver", "lead"],
  admins: ["admin"],
  agents: [],
  audiences: [DESK],
};
const NO_SCOPES: TokenScopes = { call: null, effects: null };

/** What a token comes to: its roles and what it lacks for effects, or the code it is refused with. */
function rights(
  payload: Readonly<Record<string, unknown>>,
  roles: TokenRoles | null = ROLES,
  scopes = NO_SCOPES,
): string {
  try {
    const found = rightsIn(payload, [MCP], roles, scopes);
    const lacks = found.readsOnly === undefined ? "" : ` without ${found.readsOnly.lacks}`;
    return `${found.roles.join("+")}${lacks}`;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return [thrown.problem.code, thrown.problem.meta.error?.scope ?? ""].join(" ").trim();
  }
}

describe("SURF-23 roles of tokens", () => {
  const lead = { realm: { roles: ["lead", "other"] } };
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["a path of claims", { aud: DESK, ...lead }, "operator"],
    ["one text", { aud: DESK, realm: { roles: "admin" } }, "admin"],
    ["both", { aud: [DESK], realm: { roles: ["lead", "admin"] } }, "operator+admin"],
    ["a claim of the whole name", { aud: DESK, "realm.roles": ["approver"] }, "operator"],
    [
      "the whole name hides the path",
      { aud: DESK, "realm.roles": [], ...lead },
      "plasm-policy-denied",
    ],
    ["an agent's audience: an agent, whoever the user is", { aud: MCP, ...lead }, "agent"],
    ["both audiences", { aud: [MCP, DESK], ...lead }, "plasm-policy-denied"],
    ["no role", { aud: DESK }, "plasm-policy-denied"],
    ["an object for roles", { aud: DESK, realm: { roles: { lead: true } } }, "plasm-policy-denied"],
    ["a list for the way", { aud: DESK, realm: ["roles"] }, "plasm-policy-denied"],
    [
      "a part of a role's name",
      { aud: DESK, realm: { roles: "lead approver" } },
      "plasm-policy-denied",
    ],
    ["what objects inherit", { aud: DESK, realm: {}, roles: ["lead"] }, "plasm-policy-denied"],
    ["no audience", lead, "agent"],
  ])("%s", (_, payload, expected) => expect(rights(payload)).toBe(expected));

  test("agents may need a role, too; without any setting all are agents", () => {
    const some = { ...ROLES, agents: ["staff"] };
    expect(rights({ aud: MCP, realm: { roles: ["staff"] } }, some)).toBe("agent");
    expect(rights({ aud: MCP, ...lead }, some)).toBe("plasm-policy-denied");
    expect(rights({ aud: DESK, ...lead }, null)).toBe("agent");
  });
});

test.each<[unknown, string]>([
  [{ scope: "call change" }, "agent"],
  [{ scope: "change" }, "agent"],
  [{ scp: ["call", "change"] }, "agent"],
  [{ scp: "call" }, "agent without change"],
  [{ scope: "call changes" }, "agent without change"],
  [{ scope: "other" }, "plasm-insufficient-scope call"],
  [{}, "plasm-insufficient-scope call"],
  // What stands in the one is not looked for in the other.
  [{ scope: "call", scp: ["change"] }, "agent without change"],
])("SURF-23 scopes of tokens: %j", (payload, expected) =>
  expect(
    rights({ aud: MCP, ...(payload as object) }, null, { call: "call", effects: "change" }),
  ).toBe(expected),
);
