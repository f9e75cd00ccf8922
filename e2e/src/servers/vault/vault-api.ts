import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Buffer } from "node:buffer";

/** A request as it arrived: the target as it was sent, nothing decoded. */
export interface Arrived {
  readonly method: string;
  readonly target: string;
}

/** An API that repeats what it is told, in every place an answer has. */
export interface VaultApi {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** bodies of token requests */
  readonly tokenForms: readonly URLSearchParams[];
  close(): Promise<void>;
}

/** The tokens it gives out for a grant. */
export type TokensOf = (form: URLSearchParams) => Readonly<Record<string, unknown>>;

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Whatever a request says of its sender, in each writing that an API may use. */
function echoOf({ headers, url = "" }: IncomingMessage): string {
  const target = new URL(url, "http://vault");
  const told = [headers.authorization, headers["x-vault-key"], target.searchParams.get("key")]
    .flat()
    .filter((value) => value !== undefined && value !== null);
  return told
    .flatMap((value) => {
      const bare = value.replace(/^(Bearer|Vault) /, "");
      return [value, encodeURIComponent(bare), Buffer.from(bare).toString("base64")];
    })
    .concat(target.search)
    .join(" ");
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  body: JSON.stringify(value),
  headers: { "content-type": "application/json", ...headers },
});

/** How the item of this name answers. */
function itemReply(name: string, echo: string): Reply {
  const message = `${name} was asked for with ${echo}`;
  switch (name) {
    case "e401":
    case "e403":
    case "e404":
    case "e500":
      return json(Number(name.slice(1)), { message, errors: [{ message }] });
    case "e429":
      return json(429, { message }, { "retry-after": "3000", "x-seen": echo });
    case "markup":
      return {
        status: 200,
        body: `<html>${echo}</html>`,
        headers: { "content-type": "text/html" },
      };
    case "torn":
      return { ...json(200, {}), body: `{"id":"torn","note":"${echo}` };
    default:
      return json(200, { id: name, note: message, meta: { echo, list: [echo] } });
  }
}

/** Two pages; the address of the second one, as the API gives it, holds the query as it came. */
function listReply(incoming: IncomingMessage, origin: string, echo: string): Reply {
  const target = new URL(incoming.url ?? "", origin);
  const second = target.searchParams.get("page") === "2";
  const items = ["a", "b"].map((id) => ({ id: second ? `${id}2` : id, note: echo }));
  target.searchParams.set("page", "2");
  return json(200, { items, echo }, second ? {} : { link: `<${target.href}>; rel="next"` });
}

function send(outgoing: ServerResponse, { status, body, headers = {} }: Reply): void {
  outgoing.writeHead(status, { ...headers });
  outgoing.end(body);
}

/** Starts it on a free loopback port. */
export async function startVaultApi(tokensOf: TokensOf): Promise<VaultApi> {
  const arrived: Arrived[] = [];
  const tokenForms: URLSearchParams[] = [];
  let origin = "";
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "GET", url = "" } = incoming;
    const text = await textOf(incoming);
    if (url === "/oauth/token") {
      const form = new URLSearchParams(text);
      tokenForms.push(form);
      return send(outgoing, json(200, { token_type: "bearer", ...tokensOf(form) }));
    }
    arrived.push({ method, target: url });
    const echo = echoOf(incoming);
    const { pathname } = new URL(url, origin);
    const [, kind = "", name] = pathname.split("/");
    if (kind !== "items")
      return send(outgoing, json(404, { message: `nothing at ${url} ${echo}` }));
    if (name === undefined) return send(outgoing, listReply(incoming, origin, echo));
    send(outgoing, itemReply(decodeURIComponent(name), `${echo} ${text}`));
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    arrived,
    tokenForms,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
