import { createHmac, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Claims = Readonly<Record<string, unknown>>;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What every good token says, besides what is given; undefined leaves a claim out. */
const claimsOf = (claims: Claims): Claims => ({
  sub: "ann",
  exp: Math.floor(Date.now() / 1000) + 3_600,
  ...claims,
});

/** A token by a secret (RFC 7515), made without the library that checks it. */
export function hs256(secret: string, claims: Claims = {}): string {
  const said = `${part({ alg: "HS256", typ: "JWT" })}.${part(claimsOf(claims))}`;
  return `${said}.${createHmac("sha256", secret).update(said).digest("base64url")}`;
}

/** An issuer with a key of its own, whose JWKS it serves on a loopback port. */
export interface Issuer {
  /** what its tokens name as `iss` */
  readonly name: string;
  readonly jwksUrl: string;
  token(claims?: Claims): string;
  close(): Promise<void>;
}

function es256(kid: string, key: KeyObject, claims: Claims): string {
  const said = `${part({ alg: "ES256", kid })}.${part(claimsOf(claims))}`;
  const signature = sign("sha256", Buffer.from(said), { key, dsaEncoding: "ieee-p1363" });
  return `${said}.${signature.toString("base64url")}`;
}

export async function startIssuer(name: string): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const kid = `${name}-key`;
  const jwks = {
    keys: [{ ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" }],
  };
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(jwks));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    name,
    jwksUrl: `http://127.0.0.1:${port}/keys`,
    token: (claims = {}) => es256(kid, privateKey, { iss: name, ...claims }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
