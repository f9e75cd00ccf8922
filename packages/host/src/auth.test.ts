import { describe, expect, it } from "vitest";
import { authModeFrom, issuersFrom, secretsFrom } from "./auth.ts";
import { HostStartError } from "./environment.ts";

const SECRET = "s3cret-s3cret-s3cret-s3cret-s3cr";
const bytes = new TextEncoder().encode(SECRET);
const JWKS = "https://id.example/keys";

describe("SURF-23 whose tokens are taken", () => {
  it("nobody's, unless settings say so: there is no built-in secret", () => {
    expect(issuersFrom({})).toEqual([]);
    expect(issuersFrom({ PLASM_JWT_SECRET: " ", PLASM_JWT_ISSUER: "" })).toEqual([]);
  });

  it("those by a secret, or by the keys of an issuer", () => {
    expect(issuersFrom({ PLASM_JWT_SECRET: ` ${SECRET}\n` })).toEqual([
      { issuer: null, audiences: [], keys: { kind: "secret", secret: bytes }, tenants: "own" },
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
      },
    ]);
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
    const reading = () => issuersFrom(env);
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
