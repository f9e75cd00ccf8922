import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What an API answers to one request. */
export type Answer =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  | {
      readonly kind: "text";
      readonly status: number;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** takes the request and never answers */
  | { readonly kind: "hang" }
  /** takes the request and closes the connection */
  | { readonly kind: "hang up" };

export const json = (body: unknown, status = 200): Answer => ({ kind: "json", status, body });
export const text = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ kind: "text", status, body, headers });
export const HANG: Answer = { kind: "hang" };
export const HANG_UP: Answer = { kind: "hang up" };

/** `GET /boats` → what it answers, every time; what is not named is 404. */
export type Answers = Readonly<Record<string, Answer>>;

export interface MisbehavingApi {
  readonly url: string;
  close(): Promise<void>;
}

function send(outgoing: ServerResponse, answer: Answer): void {
  switch (answer.kind) {
    case "json":
      outgoing.writeHead(answer.status, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(answer.body));
      return;
    case "text":
      outgoing.writeHead(answer.status, answer.headers);
      outgoing.end(answer.body);
      return;
    case "hang":
      return;
    case "hang up":
      outgoing.socket?.destroy();
  }
}

/** An API on a loopback socket that answers as told. */
export async function startMisbehaving(answers: Answers): Promise<MisbehavingApi> {
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { pathname } = new URL(incoming.url ?? "/", "http://api");
    const answer = answers[`${incoming.method} ${pathname}`];
    incoming.resume();
    incoming.on("end", () => send(outgoing, answer ?? json({ message: "not found" }, 404)));
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
