import { Buffer } from "node:buffer";
import { AwsV4Signer } from "aws4fetch";
import { describe, expect, test } from "vitest";
import { memorySecrets, withDepot } from "../../testing/guarded-depot.ts";
import { signerOf, signingKeys } from "./sign-request.ts";

const KEYS = "AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const TOKEN = "FwoGZXIvYXdzEXAMPLETOKEN//////////wEaDA==";
const NOW = Date.parse("2026-11-30T02:12:00.000Z");

/** The signature that another library makes of the same request. */
async function expected(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Uint8Array },
  { region = "eu-west-3", service = "berths", secret = KEYS } = {},
) {
  const made = await new AwsV4Signer({
    ...signingKeys(secret),
    method,
    url,
    headers,
    region,
    service,
    datetime: "20261130T021200Z",
    allHeaders: true,
    ...(body === undefined ? {} : { body: Buffer.from(body).toString() }),
  }).sign();
  return made.headers.get("authorization");
}

const own = (pairs: readonly (readonly [string, string])[]) =>
  Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));

describe("RUN-199: a request is signed by SigV4", () => {
  const sign = signerOf({ service: "berths", region: "eu-west-3" }, KEYS);
  const host = "https://harbour.example.com";

  test.each([
    ["a path alone", "/"],
    ["a query, in any order", "/?Version=2012-11-05&Action=ListBoats&Empty="],
    ["signs that are escaped", "/boats/a%20b/%C3%A9?filter=x%2Fy%20z&tag=1&tag=0"],
  ])("as another library signs it: %s", async (_, path) => {
    const made = own(
      await sign({ method: "GET", url: `${host}${path}`, headers: [], body: null }, NOW),
    );
    expect(made["x-amz-date"]).toBe("20261130T021200Z");
    expect(made["authorization"]).toBe(
      await expected(`${host}${path}`, { headers: { "x-amz-date": "20261130T021200Z" } }),
    );
  });

  test("with a body, its type and a session's token", async () => {
    const body = Buffer.from('{"Name":"é"}');
    const headers = { "content-type": "application/json", "x-amz-target": "Boats.List" };
    const secret = `${KEYS}:${TOKEN}`;
    const made = own(
      await signerOf({ service: "berths", region: "eu-west-3" }, secret)(
        {
          method: "POST",
          url: `${host}/`,
          headers: [...Object.entries(headers), ["Accept", "x"]],
          body,
        },
        NOW,
      ),
    );
    expect(made["x-amz-security-token"]).toBe(TOKEN);
    const length = String(body.length);
    expect(made["authorization"]).toBe(
      await expected(
        `${host}/`,
        { method: "POST", headers: { ...headers, "content-length": length }, body },
        { secret },
      ),
    );
  });

  test("for the region that the host names", async () => {
    const url = "https://berths.ap-south-1.example.com/";
    const made = own(await sign({ method: "GET", url, headers: [], body: null }, NOW));
    expect(made["authorization"]).toContain("/ap-south-1/berths/");
  });

  test.each(["", "AKID", ":secret", "AKID:", "a:b:c:d"])("%j is no pair of keys", (secret) => {
    expect(() => signingKeys(secret)).toThrow(/not of the form ACCESS_KEY_ID:SECRET_ACCESS_KEY/);
  });

  const TOP = `auth: { scheme: sigv4, service: berths, region: eu-west-3, env: DEPOT_KEYS }`;

  test("each request of a run, and neither key is told", () =>
    withDepot({}, async ({ list, asked }) => {
      const outcome = await list(TOP, {
        secrets: memorySecrets({ DEPOT_KEYS: `${KEYS}:${TOKEN}` }),
      });
      expect(outcome.status).toBe("succeeded");
      const [request] = asked();
      expect(request?.headers["authorization"]).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-3\/berths\/aws4_request, SignedHeaders=\S*host\S*, Signature=[0-9a-f]{64}$/,
      );
      expect(JSON.stringify(outcome)).not.toContain("wJalr");
      expect(JSON.stringify(outcome)).not.toContain("FwoGZ");
    }));

  test("what is no pair of keys is reported before anything is sent", () =>
    withDepot({}, async ({ list, server }) => {
      const outcome = await list(TOP, { secrets: memorySecrets({ DEPOT_KEYS: "one-key-alone" }) });
      expect(outcome.nodes[0]?.error).toMatchObject({ code: "auth_missing" });
      expect(JSON.stringify(outcome)).not.toContain("one-key-alone");
      expect(server.log).toEqual([]);
    }));
});
