import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from "jose";

/** A key of an issuer, with which tokens are signed. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: "RS256" | "ES256" | "PS256";
  readonly publicJwk: JWK;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
}

export async function signingKey(
  kid: string,
  alg: SigningKey["alg"] = "ES256",
): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, publicJwk: { ...(await exportJWK(publicKey)), kid, alg }, privateKey };
}

/** Claims with what every good token has: a subject, and an end in an hour. */
const withDefaults = (claims: JWTPayload): JWTPayload => {
  const exp = Math.floor(Date.now() / 1000) + 3_600;
  return { sub: "ann", exp, ...claims };
};

/** A claim that is undefined is left out. */
const present = (claims: JWTPayload): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));

/** A token of this key; claims given as undefined are not in it. */
export const signed = (
  { kid, alg, privateKey }: SigningKey,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<string> =>
  new SignJWT(present(withDefaults(claims))).setProtectedHeader({ alg, kid }).sign(privateKey);

/** A token by a secret. */
export const signedBy = (
  secret: Uint8Array,
  claims: Readonly<Record<string, unknown>> = {},
  alg = "HS256",
): Promise<string> =>
  new SignJWT(present(withDefaults(claims))).setProtectedHeader({ alg }).sign(secret);

/** Where it redirects to: the keys are there, too. */
const ELSEWHERE = "/elsewhere";

/** A JWKS on a loopback port, which tests change and count requests of. */
export interface KeyServer {
  readonly url: string;
  keys: readonly SigningKey[];
  /** what it answers in place of the keys, if anything */
  broken: number | null;
  requests: number;
  close(): Promise<void>;
}

export async function keyServer(...keys: readonly SigningKey[]): Promise<KeyServer> {
  const server = createServer(({ url = "" }, response) => {
    state.requests += 1;
    response.statusCode = url === ELSEWHERE ? 200 : (state.broken ?? 200);
    if (state.broken === 302) response.setHeader("location", ELSEWHERE);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ keys: state.keys.map(({ publicJwk }) => publicJwk) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const state: KeyServer = {
    url: `http://127.0.0.1:${port}/jwks`,
    keys,
    broken: null,
    requests: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return state;
}
