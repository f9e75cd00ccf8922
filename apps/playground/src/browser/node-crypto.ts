/** The part of `node:crypto` that an engine in a page uses: digests at once, and random bytes (docs/adr/0211). */
import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer } from "buffer/";
import { v4 } from "uuid";

type Text = "utf8" | "hex" | "base64" | "latin1";
type Encoding = "hex" | "base64" | "base64url";

const bytesOf = (data: string | Uint8Array, encoding: Text = "utf8"): Uint8Array =>
  typeof data === "string" ? Buffer.from(data, encoding) : data;

function written(bytes: Uint8Array, encoding: Encoding): string {
  const buffer = Buffer.from(bytes);
  if (encoding !== "base64url") return buffer.toString(encoding);
  return buffer.toString("base64").replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function demandSha256(algorithm: string): void {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not there in a page`);
}

class Hash {
  readonly #state = sha256.create();

  update(data: string | Uint8Array, encoding?: Text): this {
    this.#state.update(bytesOf(data, encoding));
    return this;
  }

  digest(): Buffer;
  digest(encoding: Encoding): string;
  digest(encoding?: Encoding): Buffer | string {
    const bytes = this.#state.digest();
    return encoding === undefined ? Buffer.from(bytes) : written(bytes, encoding);
  }
}

export function createHash(algorithm: string): Hash {
  demandSha256(algorithm);
  return new Hash();
}

export function hash(
  algorithm: string,
  data: string | Uint8Array,
  encoding: Encoding = "hex",
): string {
  demandSha256(algorithm);
  return written(sha256(bytesOf(data)), encoding);
}

export const randomBytes = (size: number): Buffer =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(size)));

/** Not that of the browser, which has one only where a page came by HTTPS. */
export const randomUUID = (): string => v4({});

/** A whole number below `end`, or from `start` on below `end`. */
export function randomInt(start: number, end?: number): number {
  const [low, high] = end === undefined ? [0, start] : [start, end];
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return low + Math.floor((drawn / 2 ** 32) * (high - low));
}

export const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;

const noCiphers = (): never => {
  throw new Error("a page keeps no secrets: there are no ciphers");
};

export const createCipheriv = noCiphers;
export const createDecipheriv = noCiphers;

/** Webhooks alone are signed so. */
export const createHmac = (): never => {
  throw new Error("nobody tells a page of changes: there are no webhooks");
};
