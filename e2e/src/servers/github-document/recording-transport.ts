import { createHttpTransport, type Transport, type TransportResponse } from "@plasm/runtime";
import { oneSegment } from "./one-segment.ts";
import type { OfficialDocument } from "./official-document.ts";

/** A request that was sent, and what Prism said of it. */
export interface Witnessed {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  /** what the document does not allow about the request */
  readonly violations: readonly string[];
}

export interface RecordingTransport extends Transport {
  readonly witnessed: readonly Witnessed[];
  forget(): void;
}

interface Violation {
  readonly location?: readonly string[];
  readonly severity?: string;
  readonly message?: string;
}

const violationsIn = (header: string | undefined): readonly string[] =>
  (JSON.parse(header ?? "[]") as readonly Violation[]).map(
    ({ location = [], message = "" }) => `${location.join(".")}: ${message}`,
  );

type Header = readonly [name: string, value: string];

/**
 * GitHub takes its own media types everywhere, which its document mentions nowhere: Prism is asked for the
 * one that the document has.
 */
const documented = ([name, value]: Header): Header =>
  /^application\/vnd\.github\b.*\+json$/.test(value) ? [name, "application/json"] : [name, value];

/** The next page of the document's examples is at an address that the document does not have. */
const withoutLink = (response: TransportResponse): TransportResponse => ({
  ...response,
  headers: response.headers.filter(([name]) => name.toLowerCase() !== "link"),
});

/**
 * Sends over real sockets, and keeps an account of it. `answer` makes the body of a good answer to a GET of what
 * Prism says.
 */
export function recordingTransport(
  document: OfficialDocument,
  answer: (path: string, body: Uint8Array) => Uint8Array,
): RecordingTransport {
  const http = createHttpTransport();
  const adapt = oneSegment(document);
  const witnessed: Witnessed[] = [];
  return {
    witnessed,
    forget: () => void witnessed.splice(0),
    close: () => http.close(),
    send: async (request) => {
      const url = new URL(request.url);
      const { pathname: path } = url;
      url.pathname = adapt(path);
      const outcome = await http.send({
        ...request,
        url: url.href,
        headers: request.headers.map(documented),
      });
      const headers = outcome.ok ? outcome.response.headers : [];
      const said = headers.find(([name]) => name.toLowerCase() === "sl-violations")?.[1];
      witnessed.push({
        method: request.method,
        path: path + url.search,
        body: request.body === null ? "" : new TextDecoder().decode(request.body),
        status: outcome.ok ? outcome.response.status : 0,
        violations: violationsIn(said),
      });
      if (!outcome.ok) return outcome;
      const response = withoutLink(outcome.response);
      const row = request.method === "GET" && response.status === 200;
      const body = row ? answer(path, response.body) : response.body;
      return { ok: true, response: { ...response, body } };
    },
  };
}
