import { describe, expect, it } from "vitest";
import { authModeFrom, mayHaveTokenOperator, secretsFrom } from "./auth.ts";
import { HostStartError } from "./environment.ts";
import { audienceRemarks, issuersFrom, providersFrom } from "./token-issuers.ts";

const SECRET = "s3cret-s3cret-s3cret-s3cret-s3cr";
const bytes = new TextEncoder().encode(SECRET);
const PLAIN = { roles: null, scopes: { call: null, effects: null } };
const JWKS = "https://id.example/keys";

describe("SURF-23 whose tokens are taken", () => {
  it("nobody's, unless settings say so: there is no built-in secret", () => {
    expect(issuersFrom({})).toEqual([]);
    expect(issuersFrom({ PLASM_JWT_SECRET: " ", PLASM_JWT_ISSUER: "" })).toEqual([]);
  });

  it("those by a secret, or by the keys of an issuer", () => {
    expect(issuersFrom({ PLASM_JWT_SECRET: ` ${SECRET}\n` })).toEqual([
      {
        issuer: null,
        audiences: [],
        keys: { kind: "secret", secret: bytes },
        tenants: "own",
        ...PLAIN,
      },
    ]);
    const env = {
      PLASM_JWT_JWKS_URL: JWKS,
      PLASM_JWT_ISSUER: "https://id.example",
      PLASM_JWT_AUDIENCE: "plasm, https://plasm.example/mcp",
      PLASM_JWT_TENANTS: "shared",
    };
    expect(issuersFrom(env)).toEqual([
      {
        issuer: "https://id.example",
        audiences: ["plasm", "https://plasm.example/mcp"],
        keys: { kind: "jwks", url: JWKS },
        tenants: "shared",
        ...PLAIN,
      },
    ]);
  });

  it("tokens of public keys are made for this server, where it knows its address, unless any are taken", () => {
    const origin = "https://plasm.example";
    const audiences = (env: Readonly<Record<string, string>>, at?: string) =>
      issuersFrom(env, at).map((one) => one.audiences);
    expect(audiences({ PLASM_JWT_JWKS_URL: JWKS }, origin)).toEqual([[`${origin}/mcp`]]);
    expect(audiences({ PLASM_JWT_JWKS_URL: JWKS })).toEqual([[]]);
    expect(audiences({ PLASM_JWT_SECRET: SECRET }, origin)).toEqual([[]]);
    const any = { PLASM_JWT_JWKS_URL: JWKS, PLASM_JWT_AUDIENCE: "any" };
    expect(audiences(any, origin)).toEqual([[]]);
    expect(audienceRemarks({ PLASM_JWT_JWKS_URL: JWKS })).toEqual([
      "tokens are taken whatever service they were made for: set PLASM_TRANSPORT_ORIGIN, or PLASM_JWT_AUDIENCE (any, if that is meant)",
    ]);
    // Who set the origin before is told why tokens of another audience are refused now.
    expect(audienceRemarks({ PLASM_JWT_JWKS_URL: JWKS }, origin)).toEqual([
      "tokens must name https://plasm.example/mcp as their audience; PLASM_JWT_AUDIENCE says otherwise",
    ]);
    expect([audienceRemarks(any), audienceRemarks(any, origin)]).toEqual([[], []]);
    // The choice of one issuer says nothing of another.
    const two = { ...any, PLASM_JWT_B_JWKS_URL: JWKS };
    expect(audienceRemarks(two)).toEqual([expect.stringContaining("PLASM_JWT_B_AUDIENCE")]);
  });

  it("roles and scopes come from settings", () => {
    const [issuer] = issuersFrom({
      PLASM_JWT_JWKS_URL: JWKS,
      PLASM_JWT_AUDIENCE: "plasm",
      PLASM_JWT_ROLES_CLAIM: "realm_access.roles",
      PLASM_JWT_OPERATOR_ROLES: "approver, lead",
      PLASM_JWT_OPERATOR_AUDIENCE: "desk",
      PLASM_JWT_SCOPE: "plasm",
      PLASM_JWT_EFFECT_SCOPE: "plasm.effects",
    });
    expect(issuer?.roles).toEqual({
      claim: "realm_access.roles",
      operators: ["approver", "lead"],
      admins: [],
      agents: [],
      audiences: ["desk"],
    });
    expect(issuer?.scopes).toEqual({ call: "plasm", effects: "plasm.effects" });
    const may = mayHaveTokenOperator(
      issuer === undefined ? [] : [{ ...issuer, issuer: "https://id.example" }],
    );
    expect(may("https://id.example|tenant|acme")).toBe(true);
    expect([may("acme"), may("https://id.example.evil|tenant|acme")]).toEqual([false, false]);
  });

  it("several issuers have names", () => {
    const env = {
      PLASM_JWT_OFFICE_JWKS_URL: JWKS,
      PLASM_JWT_OFFICE_ISSUER: "office",
      PLASM_JWT_NIGHT_SHIFT_SECRET: SECRET,
      PLASM_JWT_NIGHT_SHIFT_ISSUER: "night",
    };
    expect(issuersFrom(env).map(({ issuer, keys }) => [issuer, keys.kind])).toEqual([
      ["office", "jwks"],
      ["night", "secret"],
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["no audience of operators", { JWKS_URL: JWKS, OPERATOR_ROLES: "lead" }, "are both needed"],
    [
      "one audience of both",
      { JWKS_URL: JWKS, AUDIENCE: "a,b", OPERATOR_AUDIENCE: "b", ADMIN_ROLES: "x" },
      "PLASM_JWT_ADMIN_ROLES is set: PLASM_JWT_OPERATOR_AUDIENCE and PLASM_JWT_AUDIENCE both name b",
    ],
    [
      "any audience of agents",
      { JWKS_URL: JWKS, AUDIENCE: "any", OPERATOR_AUDIENCE: "b", OPERATOR_ROLES: "x" },
      "are both needed",
    ],
    [
      "an audience of nobody",
      { JWKS_URL: JWKS, AUDIENCE: "a", OPERATOR_AUDIENCE: "b" },
      "nobody would be an operator",
    ],
    ["a claim for nothing", { JWKS_URL: JWKS, ROLES_CLAIM: "groups" }, "but no role is"],
    ["any and one", { JWKS_URL: JWKS, AUDIENCE: "any,a" }, "stands alone"],
    ["two scopes", { JWKS_URL: JWKS, SCOPE: "a b" }, "must be the name of one scope"],
    [
      "two sign-ins at one address",
      {
        JWKS_URL: JWKS,
        ISSUER: "https://a.example",
        CLIENT_ID: "c",
        DEFAULT_JWKS_URL: JWKS,
        DEFAULT_ISSUER: "https://b.example",
        DEFAULT_CLIENT_ID: "d",
      },
      "one redirect address",
    ],
    ["a secret of nobody", { JWKS_URL: JWKS, CLIENT_SECRET: "s3cret" }, "CLIENT_ID is not"],
    [
      "a sign-in without issuer",
      { JWKS_URL: JWKS, CLIENT_ID: "c" },
      "PLASM_JWT_ISSUER must be the https address",
    ],
    [
      "a sign-in in plain text",
      { JWKS_URL: JWKS, CLIENT_ID: "c", ISSUER: "http://id.example" },
      "PLASM_JWT_ISSUER must be the https address",
    ],
    [
      "a sign-in by a shared secret",
      { SECRET, CLIENT_ID: "c", ISSUER: "https://id.example" },
      "in place of PLASM_JWT_SECRET",
    ],
    [
      "a sign-in that agents' tokens pass",
      { JWKS_URL: JWKS, CLIENT_ID: "c", ISSUER: "https://id.example", AUDIENCE: "c,d" },
      "Register an application of its own",
    ],
    ["both ways", { SECRET, JWKS_URL: JWKS }, "PLASM_JWT_SECRET and PLASM_JWT_JWKS_URL"],
    ["neither way", { ISSUER: "x" }, "PLASM_JWT_ISSUER is set, but neither"],
    ["a short secret", { SECRET: SECRET.slice(1) }, "PLASM_JWT_SECRET has 31 bytes; at least 32"],
    [
      "no encryption",
      { JWKS_URL: "http://id.example/keys" },
      "PLASM_JWT_JWKS_URL must be an https address",
    ],
    [
      "a password in it",
      { JWKS_URL: "https://a:pw@id.example" },
      "PLASM_JWT_JWKS_URL must be an https address",
    ],
    ["no address", { JWKS_URL: "keys" }, "PLASM_JWT_JWKS_URL must be an https address"],
    [
      "tenants of what",
      { SECRET, TENANTS: "all" },
      'PLASM_JWT_TENANTS must be own or shared, got "all".',
    ],
    [
      "anonymous",
      { SECRET, ISSUER: "anonymous" },
      'PLASM_JWT_ISSUER must be the name of an issuer, got "anonymous".',
    ],
    [
      "one without issuer",
      { SECRET, A_SECRET: SECRET, A_ISSUER: "a" },
      "PLASM_JWT_ISSUER is not set",
    ],
    [
      "two alike",
      { A_SECRET: SECRET, A_ISSUER: "a", B_JWKS_URL: JWKS, B_ISSUER: "a" },
      "PLASM_JWT_B_ISSUER=a is set twice",
    ],
  ])("is refused: %s", (_, settings, said) => {
    const env = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`PLASM_JWT_${name}`, value]),
    );
    const reading = () => [issuersFrom(env), providersFrom(env)];
    expect(reading).toThrow(HostStartError);
    expect(reading).toThrow(said);
    expect(reading).not.toThrow(/s3cret|pw/);
  });
});

describe("SESS-8 whether callers prove who they are", () => {
  it("not unless told; an option comes before the setting", () => {
    expect(authModeFrom({}, undefined)).toBe("off");
    expect(authModeFrom({ PLASM_AUTH: "optional" }, undefined)).toBe("optional");
    expect(authModeFrom({ PLASM_AUTH: "optional" }, "required")).toBe("required");
  });

  it.each([
    [
      { PLASM_AUTH: "on" },
      undefined,
      'PLASM_AUTH must be one of off, optional, required, got "on".',
    ],
    [{}, "", '--auth must be one of off, optional, required, got "".'],
  ])("%j %j is refused", (env, given, said) => {
    expect(() => authModeFrom(env, given)).toThrow(said);
  });
});

it("SURF-24 calls use the deployment's credentials unless told otherwise", () => {
  expect(secretsFrom({})).toEqual({});
  expect(secretsFrom({ PLASM_CREDENTIALS: "deployment" })).toEqual({});
  const { secretsOf } = secretsFrom({ PLASM_CREDENTIALS: "user" });
  const caller = { scope: "acme", subject: "ann", connection: null };
  expect(secretsOf?.(caller, "").credentials).toEqual({
    tenant: "acme",
    delegated: true,
    principal: "ann",
  });
  expect(() => secretsFrom({ PLASM_CREDENTIALS: "all" })).toThrow(
    'must be deployment or user, got "all".',
  );
});
