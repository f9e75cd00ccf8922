import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import type { Dispatcher } from "undici";
import type { FileTaker, HeaderPair } from "../ports.ts";
import { FileBytes } from "./file-bytes.ts";

/** How one exchange ended on the wire: the body is still encoded as it came. */
export type Received =
  | {
      readonly kind: "whole";
      readonly status: number;
      readonly headers: readonly HeaderPair[];
      readonly body: Uint8Array;
    }
  /** its bytes are on their way, and still encoded */
  | {
      readonly kind: "file";
      readonly status: number;
      readonly headers: readonly HeaderPair[];
      readonly content: FileBytes;
    }
  | { readonly kind: "too_large" | "aborted" }
  /** `bytes` of a body that had begun; null where not even its head had come */
  | { readonly kind: "timeout"; readonly bytes: number | null }
  | { readonly kind: "failed"; readonly error: unknown };

/** Why an exchange is given up. */
type GivenUp = Exclude<Received["kind"], "whole" | "file" | "failed">;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function headerPairs(headers: Headers): readonly HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") pairs.push([name, value]);
    else if (value !== undefined) for (const one of value) pairs.push([name, one]);
  }
  return pairs;
}

const NO_BYTES = new Uint8Array();

/** How large an answer may be, and who takes one that is a file. */
interface Wanted {
  readonly maxResponseBytes: number;
  readonly file?: FileTaker;
}

/**
 * Takes an answer as its bytes come, with no stream in between, and says once how that ended: that it is whole, or that
 * it is a file whose first bytes have come. An answer of too many bytes, and one that is given up, ends its connection
 * (RUN-024, RUN-028, VAL-01).
 */
export class ReceivedAnswer implements Dispatcher.DispatchHandler {
  readonly #wanted: Wanted;
  /** null where no file is taken, or it is not known yet */
  #content: FileBytes | null = null;
  #asksTaker: boolean;
  #end: ((received: Received) => void) | null;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: readonly HeaderPair[] = [];
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(wanted: Wanted, end: (received: Received) => void) {
    this.#wanted = wanted;
    this.#asksTaker = wanted.file !== undefined;
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

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#content !== null) return this.#content.push(chunk);
    if (this.#end === null) return;
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#isFile()) return this.#give(controller);
    if (this.#size > this.#wanted.maxResponseBytes) return this.giveUp("too_large");
  }

  /** Whether the taker wants it, who is asked once, when enough has come. */
  #isFile(): boolean {
    const { file } = this.#wanted;
    if (!this.#asksTaker || file === undefined || this.#size < file.from) return false;
    this.#asksTaker = false;
    if (this.#status < 200 || this.#status > 299) return false;
    return file.takes(this.#headers, this.#chunks.find(({ length }) => length > 0) ?? NO_BYTES);
  }

  /** What came so far is the beginning of a file; the rest goes to whoever reads it. */
  #give(controller: Dispatcher.DispatchController): void {
    const content = new FileBytes(controller);
    for (const chunk of this.#chunks) content.push(chunk);
    this.#content = content;
    this.#settle({ kind: "file", status: this.#status, headers: this.#headers, content });
  }

  onResponseEnd(): void {
    if (this.#content !== null) return this.#content.end();
    const [only] = this.#chunks;
    const alone = this.#chunks.length === 1 && only !== undefined;
    const body = alone ? only : Buffer.concat(this.#chunks, this.#size);
    this.#settle({ kind: "whole", status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    if (this.#content !== null) return this.#content.fail(error);
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
