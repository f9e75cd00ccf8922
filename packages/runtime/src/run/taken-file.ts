import type { Json } from "@plasm/core";
import type { NamedFile } from "@plasm/core/internal";
import { failure, RunFailure } from "../base/run-failure.ts";
import { attachmentOf, fileNameOf, mediaTypeOf } from "../decode/response-body.ts";
import { type Exchange, requestName } from "../limits/exchange.ts";
import { DEFAULT_FILE_RULES, FIXED } from "../limits/limits.ts";
import { sendRead } from "../limits/send-read.ts";
import { type ArtifactStore, FileNotKeptError, type StoredFile } from "../ports.ts";
import { addressRequest } from "../request/address-request.ts";
import { NO_CREDENTIAL } from "../request/auth/credential.ts";
import { secretlessFile } from "../request/auth/redactor.ts";
import type { Backend } from "../request/effective-backend.ts";
import {
  fetchedAddress,
  type FileRefusal,
  isFetched,
  isSessionFile,
  localFile,
  RefusedFileError,
} from "./allowed-files.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { RunEngine } from "./engine.ts";

/** A file that was taken, with the name it goes by. */
interface TakenFile {
  readonly file: StoredFile;
  readonly fileName?: string;
}

const refusal = ({ problem, fix }: FileRefusal): RunFailure =>
  new RunFailure(failure("argument_invalid", problem, fix));

const rulesOf = (engine: RunEngine) => engine.context.files ?? DEFAULT_FILE_RULES;

/**
 * A file that a program names, as the attachment that an effect sends: it is taken into the session first, once in a run,
 * and is what was reviewed, or nothing is sent (VAL-07, VAL-08). Throws RunFailure or RunStop.
 */
export function takenFile(engine: RunEngine, node: string, file: NamedFile): Promise<Json> {
  const known = engine.taken.get(file.name) ?? take(engine, node, file);
  engine.taken.set(file.name, known);
  return known;
}

async function take(engine: RunEngine, node: string, { name, content }: NamedFile): Promise<Json> {
  const { artifacts } = engine.context;
  if (artifacts === undefined) {
    throw refusal({
      problem: "This run belongs to no session that holds files.",
      fix: "give the bytes as bytes_base64",
    });
  }
  const { file, fileName } = await found(engine, node, artifacts, name);
  if (content !== null && content.sha256 !== file.sha256) {
    throw new RunFailure(
      failure(
        "precondition_failed",
        `${JSON.stringify(name.slice(0, 200))} has changed since it was planned: its SHA-256 was ${content.sha256}, and is ${file.sha256}.`,
        "plan it again, so that what is sent now is reviewed",
      ),
    );
  }
  return attachmentOf({ kind: "file", file, ...(fileName === undefined ? {} : { fileName }) });
}

function found(
  engine: RunEngine,
  node: string,
  artifacts: ArtifactStore,
  name: string,
): Promise<TakenFile> {
  if (isSessionFile(name)) return heldFile(artifacts, name);
  return isFetched(name)
    ? fetchedFile(engine, node, artifacts, name)
    : localCopy(engine, artifacts, name);
}

async function heldFile(artifacts: ArtifactStore, name: string): Promise<TakenFile> {
  const file = await artifacts.open(name);
  if (file !== null) return { file };
  throw refusal({
    problem: `${JSON.stringify(name.slice(0, 120))} is no file of this session.`,
    fix: "name one by the address that an answer of this session shows",
  });
}

async function localCopy(
  engine: RunEngine,
  artifacts: ArtifactStore,
  name: string,
): Promise<TakenFile> {
  const local = await localFile(rulesOf(engine), name);
  if ("problem" in local) throw refusal(local);
  const file = await kept(engine, artifacts, name, local.read(), local.mimeType);
  return { file, fileName: local.fileName };
}

/** Bytes as a file of the session, unless a known secret stands in them (VAL-03). Throws RunFailure. */
async function kept(
  engine: RunEngine,
  artifacts: ArtifactStore,
  name: string,
  content: AsyncIterable<Uint8Array>,
  mimeType: string,
): Promise<StoredFile> {
  try {
    return await artifacts.put(secretlessFile(content, engine.redactor), mimeType, null);
  } catch (error) {
    if (error instanceof RefusedFileError) throw refusal(error);
    if (!(error instanceof FileNotKeptError)) throw error;
    const problem = `${JSON.stringify(name.slice(0, 200))} is not sent. ${error.message}`;
    throw refusal({ problem, fix: error.fix });
  }
}

/** A place that is nobody's API: no credential goes there, and no other origin is meant (RUN-141). */
const backendAt = ({ origin }: URL): Backend => ({
  entryId: "(file)",
  origin,
  isSet: true,
  base: origin,
  declaredBase: origin,
  declaredOrigin: origin,
  callable: new Map([[origin, { sendAuth: false }]]),
});

async function* alone(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * A file of an allowed origin, fetched as any read is: within the run's budgets, at no private address but that of an
 * origin that the deployment allows, by redirects to allowed origins alone (VAL-09). Throws RunFailure or RunStop.
 */
async function fetchedFile(
  engine: RunEngine,
  node: string,
  artifacts: ArtifactStore,
  name: string,
): Promise<TakenFile> {
  const rules = rulesOf(engine);
  const address = fetchedAddress(rules, name);
  if (!(address instanceof URL)) throw refusal(address);
  const backend = backendAt(address);
  const { pathname, search } = address;
  const described = {
    transport: "http",
    method: "GET",
    path: pathname,
    pathTemplate: "/{file}",
    query: [],
    headers: [],
  } as const;
  const plain = addressRequest(
    described,
    backend,
    FIXED.requestBytes,
    address.origin + pathname + search,
  );
  const keep = (content: AsyncIterable<Uint8Array>, type: string): Promise<StoredFile> =>
    artifacts.put(secretlessFile(content, engine.redactor), type, null);
  const request: WireRequest = {
    ...plain,
    engineHeaders: plain.engineHeaders.map(([header, value]) =>
      header === "Accept" ? [header, "*/*"] : [header, value],
    ),
    takeFile: {
      any: true,
      maxBytes: rules.maxBytes,
      take: (headers, content) => keep(content, mediaTypeOf(headers)),
    },
  };
  const party = { backend, credential: NO_CREDENTIAL, node, only: rules.origins ?? [] };
  const exchange = await sendRead(request, engine.wire, party);
  return storedAnswer(engine, artifacts, request, exchange, name);
}

async function storedAnswer(
  engine: RunEngine,
  artifacts: ArtifactStore,
  request: WireRequest,
  { response, url }: Exchange,
  name: string,
): Promise<TakenFile> {
  const { status, headers, body, file } = response;
  if (status < 200 || status > 299) {
    throw new RunFailure(
      failure(
        "upstream_error",
        `${JSON.stringify(name.slice(0, 200))} answered ${status}: there is nothing to send.`,
        "check the address: it is fetched without credentials",
        { request: requestName(request, status) },
      ),
    );
  }
  const own = decodeURIComponentOr(new URL(url).pathname.split("/").at(-1) ?? "");
  const said = { ...(own === "" ? {} : { fileName: own }), ...fileNameOf(headers) };
  if (file !== undefined) return { file, ...said };
  return { file: await kept(engine, artifacts, name, alone(body), mediaTypeOf(headers)), ...said };
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text).replace(/[/\\\p{Cc}]/gu, "");
  } catch {
    return text;
  }
}
