import { Buffer } from "node:buffer";
import type { Capability, Catalog, Json } from "@plasm/core";
import type { PartDescription, RequestDescription } from "@plasm/core/internal";
import { isArray, isObject } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { attachmentOf, mediaTypeOf } from "../decode/response-body.ts";
import { INLINE_BYTES } from "../limits/attempt.ts";
import { DEFAULT_FILE_RULES, type FileRules, FIXED } from "../limits/limits.ts";
import { FileNotKeptError, type StoredFile } from "../ports.ts";
import type { FilesByUri } from "../request/address-request.ts";
import { secretlessFile } from "../request/auth/redactor.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { RunEngine } from "./engine.ts";

const rulesOf = (engine: RunEngine): FileRules => engine.context.files ?? DEFAULT_FILE_RULES;

const MEMBER = "__plasm_attachment";

/** The call that a body is the answer of. */
interface AnsweredCall {
  readonly catalog: Catalog;
  readonly capability: Capability;
}

const useOf = ({ catalog, capability }: AnsweredCall): string =>
  `${catalog.entryId}/${capability.name}`;

async function* alone(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * A request whose answer goes to the session as its bytes come, where it is a file (VAL-01). What of the host keeps it
 * from being kept is a defect, and told of as one that was not kept: an effect has happened by then.
 */
export function takingFiles(
  engine: RunEngine,
  call: AnsweredCall,
  request: WireRequest,
): WireRequest {
  const { artifacts, onDefect } = engine.context;
  if (artifacts === undefined) return request;
  const { maxBytes } = rulesOf(engine);
  return {
    ...request,
    takeFile: {
      maxBytes,
      take: async (headers, content) => {
        let ofContent: unknown = null;
        async function* noted(): AsyncGenerator<Uint8Array> {
          try {
            yield* secretlessFile(content, engine.redactor);
          } catch (error) {
            ofContent = error;
            throw error;
          }
        }
        try {
          return await artifacts.put(noted(), mediaTypeOf(headers), useOf(call));
        } catch (error) {
          if (ofContent !== null || error instanceof FileNotKeptError) throw error;
          onDefect?.(error);
          throw new FileNotKeptError("it could not be stored.", "report it to the operator");
        }
      },
    },
  };
}

/** Whether a body is a file. */
export const isFileBody = (body: Json): boolean => isObject(body) && isObject(body[MEMBER]);

/** A body that is a file, its bytes given to the session where they are many (RUN-038, VAL-01). */
export async function storeLargeFile(
  engine: RunEngine,
  call: AnsweredCall,
  body: Json,
): Promise<Json> {
  const { artifacts } = engine.context;
  const file = isObject(body) ? body[MEMBER] : undefined;
  if (artifacts === undefined || !isObject(file)) return body;
  const { bytes_base64: text, file_name: name, mime_type: mime } = file;
  if (typeof text !== "string" || text.length * 3 <= INLINE_BYTES * 4) return body;
  const bytes = Buffer.from(text, "base64");
  if (bytes.length <= INLINE_BYTES) return body;
  const type = typeof mime === "string" ? mime : "";
  const stored = await artifacts.put(alone(bytes), type, useOf(call));
  return attachmentOf({
    kind: "file",
    file: stored,
    ...(typeof name === "string" ? { fileName: name } : {}),
  });
}

/** A request with the files of the session that its parts name. */
export interface RequestWithFiles {
  readonly request: RequestDescription;
  /** those that are sent as they come */
  readonly files: FilesByUri;
}

const noFile = (name: string, uri: string): RunFailure =>
  new RunFailure(
    failure(
      "argument_invalid",
      `${name} names ${JSON.stringify(uri.slice(0, 120))}, which is no file of this session.`,
      "give the uri of a file that this session has read, or the bytes as bytes_base64",
    ),
  );

async function wholeBytes(file: StoredFile): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * A request with the session's files that it names: large ones are sent as they come, where the transport does that,
 * else they are in it. No other URI is read (MAP-016, VAL-02). Throws RunFailure.
 */
export async function withFiles(
  engine: RunEngine,
  request: RequestDescription,
): Promise<RequestWithFiles> {
  const files = new Map<string, StoredFile>();
  const { body } = request;
  if (body?.format !== "multipart" && body?.format !== "binary") {
    if (body !== undefined) refuseFileInText(body);
    return { request, files };
  }
  const streams = engine.context.ports.transport.streams === true;
  const filled = async <Part extends PartDescription>(part: Part): Promise<Part> => {
    if (part.kind !== "attachment" || part.source.bytesBase64 !== undefined) return part;
    const uri = part.source.uri ?? "";
    const file = (await engine.context.artifacts?.open(uri)) ?? null;
    if (file === null) throw noFile(part.name, uri);
    if (streams && file.size > INLINE_BYTES) {
      files.set(uri, file);
      return part;
    }
    refuseLarge(part.name, file);
    return { ...part, source: { bytesBase64: (await wholeBytes(file)).toString("base64") } };
  };
  if (body.format === "binary") {
    const part = await filled(body.part);
    return { request: { ...request, body: { format: "binary", part } }, files };
  }
  const parts = await Promise.all(body.parts.map(filled));
  return { request: { ...request, body: { format: "multipart", parts } }, files };
}

/** Whether a value is, or has in it, a file that the session holds: its address means nothing to an API. */
function holdsFile(value: Json): boolean {
  if (isArray(value)) return value.some(holdsFile);
  if (!isObject(value)) return false;
  const file = value[MEMBER];
  if (isObject(file) && typeof file["uri"] === "string") return true;
  return Object.values(value).some(holdsFile);
}

/** Refuses a file where an API takes JSON or a form: nothing but its address would be sent (VAL-02). Throws RunFailure. */
function refuseFileInText(body: NonNullable<RequestDescription["body"]>): void {
  if (body.format !== "json" || !holdsFile(body.value)) return;
  throw new RunFailure(
    failure(
      "argument_invalid",
      "A file stands where this API takes JSON, and not the bytes of a file.",
      "send it by an effect that takes a file, or give a text",
    ),
  );
}

/** Refuses a file that would have to be in memory and is too large for it. Throws RunFailure. */
function refuseLarge(name: string, { size }: StoredFile): void {
  if (size <= FIXED.requestBytes) return;
  throw new RunFailure(
    failure(
      "argument_invalid",
      `${name} is a file of ${size} bytes; the transport of this host sends bodies whole, of at most ${FIXED.requestBytes}.`,
      "send a smaller file, or use a transport that streams",
    ),
  );
}
