/** One request as it arrived, and how it was answered. */
export interface LoggedRequest {
  readonly method: string;
  /** as on the wire, percent-encoding included */
  readonly path: string;
  /** with the question mark, empty if there is none */
  readonly query: string;
  /** parsed JSON, undefined without a body */
  readonly body: unknown;
  /** 0 until it is answered */
  status: number;
}

const bodyOf = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export function logged(request: Request, text: string): LoggedRequest {
  const { pathname, search } = new URL(request.url);
  return { method: request.method, path: pathname, query: search, body: bodyOf(text), status: 0 };
}
