import { Buffer } from "node:buffer";
import type {
  BodyDescription,
  Capability,
  Catalog,
  Json,
  PartDescription,
  RequestDescription,
} from "@plasm/core";
import { isObject } from "../json-kinds.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";

const MEMBER = "__plasm_attachment";

/** RUN-038: larger files go to the session and only their URI shows. */
const INLINE_BYTES = 64 * 1024;

/** The call that a body is the answer of. */
export interface AnsweredCall {
  readonly catalog: Catalog;
  readonly capability: Capability;
}

/** A body that is a file, its bytes given to the session where they are many (RUN-038). */
export async function storeLargeFile(
  engine: Engine,
  { catalog, capability }: AnsweredCall,
  body: Json,
): Promise<Json> {
  const { artifacts } = engine.context;
  const file = isObject(body) ? body[MEMBER] : undefined;
  if (artifacts === undefined || !isObject(file)) return body;
  const { bytes_base64: text, ...rest } = file;
  if (typeof text !== "string" || text.length * 3 <= INLINE_BYTES * 4) return body;
  const bytes = Buffer.from(text, "base64");
  if (bytes.length <= INLINE_BYTES) return body;
  const type = typeof rest["mime_type"] === "string" ? rest["mime_type"] : "";
  const uri = await artifacts.put(bytes, type, `${catalog.entryId}/${capability.name}`);
  return { [MEMBER]: { ...rest, uri } };
}

async function readPart(engine: Engine, part: PartDescription): Promise<PartDescription> {
  if (part.kind !== "attachment" || part.source.bytesBase64 !== undefined) return part;
  const uri = part.source.uri ?? "";
  const bytes = (await engine.context.artifacts?.get(uri)) ?? null;
  if (bytes !== null) {
    return { ...part, source: { bytesBase64: Buffer.from(bytes).toString("base64") } };
  }
  throw new RunFailure(
    failure(
      "argument_invalid",
      `${part.name} names ${JSON.stringify(uri.slice(0, 120))}, which is no file of this session.`,
      "give the uri of a file that this session has read, or the bytes as bytes_base64",
    ),
  );
}

/** A request with the bytes of the session's files that it names; no other URI is read (MAP-016). */
export async function withFileBytes(
  engine: Engine,
  request: RequestDescription,
): Promise<RequestDescription> {
  const { body } = request;
  if (body?.format !== "multipart") return request;
  const parts = await Promise.all(body.parts.map((part) => readPart(engine, part)));
  const whole: BodyDescription = { format: "multipart", parts };
  return { ...request, body: whole };
}
