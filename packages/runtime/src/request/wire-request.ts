import type { Json, JsonObject } from "@plasm/core";
import type { HttpMethod, Pagination, RequestDescription } from "@plasm/core/internal";
import type { FileTaker, HeaderPair, StreamedBytes } from "../ports.ts";
import { isArray, isObject } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";

/** A body with files in it, which are not in memory (VAL-02). */
export interface StreamedBody extends StreamedBytes {
  /** all of it but the files */
  readonly around: Uint8Array;
}

/** One request as it will be sent, before credentials: what retries and redirects work on. */
export interface WireRequest {
  readonly transport: RequestDescription["transport"];
  readonly method: HttpMethod;
  /** as `URL` writes it */
  readonly url: string;
  /** of the URL: all that is done with a request asks */
  readonly origin: string;
  readonly host: string;
  /** sent wherever the request goes: User-Agent, Accept, Content-Type */
  readonly engineHeaders: readonly HeaderPair[];
  /** sent to the request's own origin only; they replace engine and credential headers (MAP-014) */
  readonly templateHeaders: readonly HeaderPair[];
  readonly body: Uint8Array | StreamedBody | null;
  /** takes its answer where that is a file (VAL-01) */
  readonly takeFile?: Pick<FileTaker, "maxBytes" | "take"> & {
    /** whatever it is, it is wanted as a file: JSON and markup, too (VAL-09) */
    readonly any?: true;
  };
  /** whether its place may have secrets: one that the template names itself, or that gets credentials */
  readonly trusted: boolean;
  /** the path with `{name}` for variables: how messages and traces name the request (RUN-142) */
  readonly pathTemplate: string;
  /** the path with the backend's base path, or that of a next URL, where it differs: how errors name it */
  readonly askedPath?: string;
  /** set where the answer holds what is known to be secret only after it is read (RUN-105) */
  readonly held?: HeldAnswers;
}

/** What a recording stores of answers once their secrets are known (RUN-162). */
export interface HeldAnswers {
  readonly later: (store: () => Promise<void>) => void;
  /** Stores what was held; to be called whatever came of the answer. */
  readonly release: () => Promise<void>;
}

/** Holds nothing yet. */
export function holdAnswers(): HeldAnswers {
  const held: (() => Promise<void>)[] = [];
  return Object.freeze({
    later: (store: () => Promise<void>) => void held.push(store),
    release: async () => {
      for (const store of held.splice(0)) await store();
    },
  });
}

type Headers = readonly HeaderPair[];

interface Merged {
  readonly engine: Headers;
  readonly all: Headers;
}

/** Headers that were merged, by those of credential and template, and forgotten with either: both may be secret. */
const merged = new WeakMap<Headers, WeakMap<Headers, Merged>>();

/** Headers of a request with its credential; a template header wins, and none is sent twice (MAP-014). */
export function mergeHeaders(engine: Headers, credential: Headers, template: Headers): Headers {
  const ofCredential = merged.get(credential) ?? new WeakMap<Headers, Merged>();
  const known = ofCredential.get(template);
  if (known?.engine === engine) return known.all;
  const base = [...without(engine, credential), ...credential];
  const all = [...without(base, template), ...template];
  merged.set(credential, ofCredential.set(template, { engine, all }));
  return all;
}

/** Headers but for those whose names others have. */
function without(headers: Headers, others: Headers): Headers {
  const names = others.map(([name]) => name.toLowerCase());
  return headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

type Pairs = readonly (readonly [string, string])[];

function queryText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Query pairs with paging parameters in place of template ones of the same name. */
function withQuery(query: Pairs, parameters: JsonObject): Pairs {
  const kept = query.filter(([name]) => !Object.hasOwn(parameters, name));
  const added = Object.entries(parameters).flatMap(([name, value]): Pairs => {
    if (value === null) return [];
    return (isArray(value) ? value : [value]).map((item) => [name, queryText(item)] as const);
  });
  return [...kept, ...added];
}

/** A body with the parameters merged into the object at a path; missing parents are created. */
function mergeAt(body: Json | undefined, path: readonly string[], parameters: JsonObject): Json {
  const [key, ...rest] = path;
  if (body !== undefined && body !== null && !isObject(body)) {
    throw new RunFailure(
      failure(
        "internal",
        "Paging parameters go into a body that is no object.",
        "correct the mapping",
      ),
    );
  }
  const object = isObject(body) ? body : {};
  if (key === undefined) return { ...object, ...parameters };
  return { ...object, [key]: mergeAt(object[key], rest, parameters) };
}

/** Adds the parameters of a page to a request, where its pagination says (mapping format, section 4). */
export function withPageParameters(
  request: RequestDescription,
  pagination: Pagination,
  parameters: JsonObject,
): RequestDescription {
  if (Object.keys(parameters).length === 0) return request;
  if (pagination.location !== "body") {
    return { ...request, query: withQuery(request.query, parameters) };
  }
  const before = request.body?.format === "json" ? request.body.value : undefined;
  const value = mergeAt(before, pagination.bodyMergePath, parameters);
  return { ...request, body: { format: "json", value } };
}
