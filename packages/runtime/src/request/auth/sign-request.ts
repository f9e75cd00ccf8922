import { Buffer } from "node:buffer";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { HeaderPair } from "../../ports.ts";

/** What is signed: the request as it is sent, without its credential. */
export interface SignedParts {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  /** null for none, `stream` for one that is read as it is sent */
  readonly body: Uint8Array | "stream" | null;
}

/** Headers that prove who sends a request, made for it alone. */
export type Signer = (request: SignedParts, now: number) => Promise<readonly HeaderPair[]>;

/** The keys in a secret: `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and a session's token behind another colon. */
export interface SigningKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export function signingKeys(secret: string): SigningKeys {
  const [accessKeyId = "", secretAccessKey = "", sessionToken, more] = secret.trim().split(":");
  if (accessKeyId === "" || secretAccessKey === "" || more !== undefined)
    throw new RunFailure(
      failure(
        "auth_missing",
        "The credential is not of the form ACCESS_KEY_ID:SECRET_ACCESS_KEY, with :SESSION_TOKEN behind it if there is one.",
        "store both keys in one text, with a colon between them",
      ),
    );
  const keys = { accessKeyId, secretAccessKey };
  return sessionToken === undefined || sessionToken === "" ? keys : { ...keys, sessionToken };
}

/** The region that a host names, as one of its labels: `queue.eu-west-3.example.com`. */
const regionIn = (hostname: string): string | undefined =>
  hostname.split(".").find((label) => /^[a-z]{2}(?:-[a-z]+){1,3}-\d{1,2}$/.test(label));

/** Headers that say what a request is about: what else there is may be changed on its way. */
const IS_SIGNED = /^(?:content-type|x-amz-.+)$/i;

/** `20261130T021200Z` */
const stampOf = (now: number): string =>
  new Date(now).toISOString().replaceAll(/[:-]|\.\d{3}/g, "");

/** Signs by SigV4 for a service and a region, or the one that the host names (RUN-199). */
export function signerOf(
  { region, service }: { readonly region: string; readonly service: string },
  secret: string,
): Signer {
  const keys = signingKeys(secret);
  return async ({ method, url, headers, body }, now) => {
    // Few APIs are signed for: the others load nothing for it.
    const { default: aws4 } = await import("aws4");
    const { host, hostname, pathname, search } = new URL(url);
    const own = headers.filter(([name]) => IS_SIGNED.test(name));
    const made = aws4.sign(
      {
        service,
        region: regionIn(hostname) ?? region,
        method,
        host,
        path: `${pathname}${search}`,
        headers: {
          ...Object.fromEntries(own),
          Host: host,
          "X-Amz-Date": stampOf(now),
          ...(body === "stream" ? { "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" } : {}),
        },
        ...(body === null || body === "stream" ? {} : { body: Buffer.from(body) as never }),
      },
      keys,
    );
    return Object.entries(made.headers ?? {}).flatMap(([name, value]): HeaderPair[] =>
      /^(?:authorization|x-amz-(?:date|security-token|content-sha256))$/i.test(name)
        ? [[name, String(value)]]
        : [],
    );
  };
}
