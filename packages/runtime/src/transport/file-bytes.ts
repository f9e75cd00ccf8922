import { Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher } from "undici";
import type { TransportFailure } from "../ports.ts";

/** So many bytes wait to be read before the server is kept from sending more. */
const MOST_WAITING = 256 * 1024;

/** Why the bytes of a file end before their end, other than for what the network did. */
export class FileCutError extends Error {
  override readonly name = "FileCutError";
  readonly kind: TransportFailure["kind"];
  constructor(kind: TransportFailure["kind"], detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** The bytes of an answer as they come: as much of it is in memory as waits to be read, and no more. */
export class FileBytes implements AsyncIterable<Uint8Array> {
  readonly #controller: Pick<Dispatcher.DispatchController, "abort" | "pause" | "resume">;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #paused = false;
  #ended = false;
  #failed: { readonly error: unknown } | null = null;
  #wake: () => void = () => undefined;
  /** called whenever bytes have come */
  onBytes: () => void = () => undefined;

  constructor(controller: Pick<Dispatcher.DispatchController, "abort" | "pause" | "resume">) {
    this.#controller = controller;
  }

  push(chunk: Uint8Array): void {
    if (this.#failed !== null) return;
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    if (!this.#paused && this.#bytes >= MOST_WAITING) {
      this.#paused = true;
      this.#controller.pause();
    }
    this.onBytes();
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Nothing more comes; whoever reads gets the error in place of what waits. */
  fail(error: unknown): void {
    if (this.#ended || this.#failed !== null) return;
    this.#failed = { error };
    this.#waiting = [];
    this.#wake();
    if (error instanceof FileCutError) this.#controller.abort(error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#failed !== null) throw this.#failed.error;
        const chunk = this.#waiting.shift();
        if (chunk !== undefined) {
          this.#bytes -= chunk.length;
          this.#goOn();
          yield chunk;
        } else if (this.#ended) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      // Whoever does not read to the end wants no more of it.
      this.fail(new FileCutError("aborted", "not read to its end"));
    }
  }

  #goOn(): void {
    if (!this.#paused || this.#bytes >= MOST_WAITING) return;
    this.#paused = false;
    this.#controller.resume();
  }
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** The bytes of a file without their Content-Encoding, at most so many. Throws FileCutError. */
export async function* decodedFile(
  content: AsyncIterable<Uint8Array>,
  encoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of undone(content, encoding)) {
    size += chunk.length;
    if (size > maxBytes)
      throw new FileCutError("too_large", `a file of more than ${maxBytes} bytes`);
    yield chunk;
  }
}

async function* undone(
  content: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) return yield* content;
  const source = Readable.from(content, { objectMode: false });
  // What the network did is what is told of it, not what the decoder makes of an end too early.
  let failed: { readonly error: unknown } | null = null;
  source.once("error", (error) => {
    failed = { error };
    decoder.destroy();
  });
  try {
    yield* source.pipe(decoder) as AsyncIterable<Uint8Array>;
  } catch {
    throw (
      (failed as { readonly error: unknown } | null)?.error ??
      new FileCutError("malformed", `the ${encoding} body does not decompress`)
    );
  } finally {
    source.destroy();
    decoder.destroy();
  }
}
