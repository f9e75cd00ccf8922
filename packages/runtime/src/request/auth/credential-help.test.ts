import { describe, expect, test } from "vitest";
import { memorySecrets, withDepot } from "../../testing/guarded-depot.ts";
import { depot } from "../../testing/depot-catalog.ts";
import { credentialHelp } from "./credential-help.ts";
import { credentialIsPresent } from "./secret-sources.ts";

const YARD = "plasm:outbound:v1:catalog:yard";
const OWN = "plasm:outbound:v1:catalog:depot";

const catalogOf = (top: string) =>
  depot({ backend: "http://127.0.0.1:1", top, list: "response: {}" });

describe("RUN-120: a credential that is kept for one catalog serves no other", () => {
  test.each<[string, string]>([
    ["its key", YARD],
    ["a part of it", `${YARD}:client_secret`],
    ["its key in other letters", "plasm:outbound:V1:Catalog:yard"],
    ["a key that only begins like its own", `${OWN}s`],
  ])("a catalog that names %s is called without it", (_name, key) =>
    withDepot({}, async ({ list, server }) => {
      const stored = { [key]: "of-the-yard" };
      const top = `auth: { scheme: bearer_token, hosted_kv: "${key}", env: DEPOT_TOKEN }`;
      const without = await list(top, { secrets: memorySecrets({}, stored) });
      expect(without.nodes[0]?.error).toMatchObject({ code: "auth_missing" });
      expect(without.nodes[0]?.error?.message).toContain(
        `hosted key ${key} (not looked at: it is kept for another catalog)`,
      );
      expect(without.nodes[0]?.error?.correction).not.toContain(key);
      expect(server.log).toEqual([]);
      const secrets = memorySecrets({ DEPOT_TOKEN: "own" }, stored);
      expect((await list(top, { secrets })).status).toBe("succeeded");
      expect(server.log.map(({ headers }) => headers.authorization)).toEqual(["Bearer own"]);
    }),
  );

  test("neither does it as client id and secret", () =>
    withDepot({}, async ({ list, server }) => {
      const top = `auth:
  scheme: oauth2_client_credentials
  token_url: ${server.url}/oauth/token
  client_id_hosted_kv: ${YARD}:client_id
  client_secret_hosted_kv: ${YARD}:client_secret`;
      const stored = { [`${YARD}:client_id`]: "yard", [`${YARD}:client_secret`]: "of-the-yard" };
      const secrets = memorySecrets({}, stored);
      const [node] = (await list(top, { secrets })).nodes;
      expect(node?.error?.code).toBe("auth_missing");
      expect(server.log).toEqual([]);
    }));

  test("it is not present, and nobody is told to store it there (RUN-183)", () => {
    const catalog = catalogOf(`auth: { scheme: bearer_token, hosted_kv: "${YARD}" }`);
    const at = (key: string) => ({
      env: () => undefined,
      hosted: (asked: string) => (asked === key ? "x" : undefined),
      now: () => 0,
    });
    expect(credentialIsPresent(catalog, { tenant: "t" }, at(YARD))).toBe(false);
    expect(credentialIsPresent(catalog, { tenant: "t" }, at(OWN))).toBe(true);
    expect(credentialHelp(catalog)).toBe("on the server run plasm auth set depot");
  });

  test("of a secret that is the whole header it is said how it looks (ADR 0273)", () => {
    const auth = "auth: { scheme: api_key_header, header: Authorization, env: DEPOT_KEY";
    const whole = "(the whole header, such as Bearer and the token)";
    expect(credentialHelp(catalogOf(`${auth} }`))).toContain(whole);
    expect(credentialHelp(catalogOf(`${auth}, prefix: "Basic " }`))).not.toContain(whole);
  });

  test.each([OWN, `${OWN}:client_secret`, "plasm:outbound:v1:shared:harbour"])(
    "%s may be named",
    (key) =>
      withDepot({}, async ({ list, server }) => {
        const top = `auth: { scheme: bearer_token, hosted_kv: "${key}" }`;
        await list(top, { secrets: memorySecrets({}, { [key]: "mine" }) });
        expect(server.log.map(({ headers }) => headers.authorization)).toEqual(["Bearer mine"]);
      }),
  );
});
