import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** A request as it arrived: nothing is taken out of it, credentials included. */
export interface Received {
  /** which request to this server it is, from 1 */
  readonly number: number;
  readonly method: string;
  /** path and query */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Reads a request to its end. */
export async function receive(incoming: IncomingMessage, number: number): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = incoming.url ?? "/";
  const { pathname, searchParams } = new URL(url, "http://server");
  return {
    number,
    method: incoming.method ?? "GET",
    url,
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

/** A request as one text, to be searched for what it must not hold. */
export const requestText = ({ method, url, headers, body }: Received): string =>
  [`${method} ${url}`, JSON.stringify(headers), body].join("\n");
