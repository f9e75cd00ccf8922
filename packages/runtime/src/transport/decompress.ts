import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

export type Decompressed =
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
