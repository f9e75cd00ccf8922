import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import type { Dispatcher } from "undici";
import type { HeaderPair } from "../ports.ts";

/** How one exchange ended on the wire: the body is still encoded as it came. */
export type Received =
  | {
      readonly kind: "whole";
      readonly status: number;
      readonly headers: readonly HeaderPair[];
      readonly body: Uint8Array;
    }
  | { readonly kind: "too_large" | "aborted" }
  /** `bytes` of a body that had begun; null where not even its head had come */
  | { readonly kind: "timeout"; readonly bytes: number | null }
  | { readonly kind: "failed"; readonly error: unknown };

/** Why an exchange is given up. */
type GivenUp = Exclude<Received["kind"], "whole" | "failed">;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function headerPairs(headers: Headers): readonly HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") pairs.push([name, value]);
    else if (value !== undefined) for (const one of value) pairs.push([name, one]);
  }
  return pairs;
}

/**
 * Takes an answer as its bytes come, with no stream in between, and says once how that ended. An answer of more
 * than `most` bytes, and one that is given up, ends its connection (RUN-024, RUN-028).
 */
export class ReceivedAnswer implements Dispatcher.DispatchHandler {
  readonly #most: number;
  #end: ((received: Received) => void) | null;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: readonly HeaderPair[] = [];
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(most: number, end: (received: Received) => void) {
    this.#most = most;
    this.#end = end;
  }

  /** Ends the exchange wherever it is: what has not been sent is not sent any more. */
  giveUp(kind: GivenUp): void {
    const bytes = this.#status === 0 ? null : this.#size;
    this.#settle(kind === "timeout" ? { kind, bytes } : { kind });
    this.#controller?.abort(new Error(kind));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#end === null) controller.abort(new Error("given up before it was sent"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    // Interim answers are followed by the one that counts.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headerPairs(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#end === null) return;
    this.#size += chunk.length;
    if (this.#size > this.#most) return this.giveUp("too_large");
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    const alone = this.#chunks.length === 1 && only !== undefined;
    const body = alone ? only : Buffer.concat(this.#chunks, this.#size);
    this.#settle({ kind: "whole", status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    this.#settle({ kind: "failed", error });
  }

  #settle(received: Received): void {
    const end = this.#end;
    this.#end = null;
    this.#chunks = [];
    end?.(received);
  }
}

type Decompressed =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: "too_large" | "malformed"; readonly detail: string };

type Codec = (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const inflateEither: Codec = async (data, options) => {
  // "deflate" means zlib framing; some servers send the bare stream.
  const framed = (((data[0] ?? 0) << 8) | (data[1] ?? 0)) % 31 === 0 && (data[0] ?? 0) % 16 === 8;
  return framed ? promisify(inflate)(data, options) : promisify(inflateRaw)(data, options);
};

const CODECS: ReadonlyMap<string, Codec> = new Map<string, Codec>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", inflateEither],
  ["br", promisify(brotliDecompress)],
]);

/** More than two are sent by nobody; each may be ten times what came before it. */
const MOST_ENCODINGS = 3;

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Undoes a Content-Encoding (gzip, deflate, br, up to three of them), up to `maxBytes` each (RUN-028). */
export async function decompress(
  body: Uint8Array,
  contentEncoding: string,
  maxBytes: number,
): Promise<Decompressed> {
  let data = body;
  const encodings = contentEncoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (encodings.length > MOST_ENCODINGS) {
    const detail = `${encodings.length} content encodings, where at most ${MOST_ENCODINGS} are undone`;
    return { ok: false, reason: "malformed", detail };
  }
  for (const name of encodings.reverse()) {
    if (data.length === 0) continue;
    const codec = CODECS.get(name);
    if (codec === undefined) {
      return { ok: false, reason: "malformed", detail: `Content-Encoding ${name} is not known` };
    }
    try {
      data = await codec(data, { maxOutputLength: maxBytes });
    } catch (error) {
      return errorCode(error) === "ERR_BUFFER_TOO_LARGE"
        ? { ok: false, reason: "too_large", detail: `more than ${maxBytes} bytes` }
        : { ok: false, reason: "malformed", detail: `the ${name} body does not decompress` };
    }
  }
  return { ok: true, body: data };
}
