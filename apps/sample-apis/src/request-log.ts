export type SampleApiName = "quay" | "yard";

/** One request as it arrived, before it was judged. */
export interface RecordedRequest {
  readonly api: SampleApiName;
  readonly method: string;
  /** As on the wire, percent-encoding included. */
  readonly path: string;
  /** Decoded; values of a repeated parameter are joined by a comma. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, else the text; undefined without a body. */
  readonly body: unknown;
}

/** Sees every request first. A response it returns is the answer: so a test makes a server fail. */
export type RequestHook = (
  request: RecordedRequest,
) => void | Response | undefined | Promise<void | Response | undefined>;

const bodyOf = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const joined = (pairs: Iterable<[string, string]>): Readonly<Record<string, string>> => {
  const record: Record<string, string> = {};
  for (const [name, value] of pairs) {
    record[name] = Object.hasOwn(record, name) ? `${record[name]},${value}` : value;
  }
  return record;
};

export const recordRequest = (
  api: SampleApiName,
  request: Request,
  text: string,
): RecordedRequest => {
  const url = new URL(request.url);
  return {
    api,
    method: request.method,
    path: url.pathname,
    query: joined(url.searchParams),
    headers: joined(request.headers),
    body: bodyOf(text),
  };
};
