import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A quay of one boat that takes any write, and what it was asked. */
export interface OwnQuay {
  readonly url: string;
  /** writes it performed, such as `PATCH /boats/b1` */
  readonly performed: string[];
  /** writes that it answers with 422 */
  refuse: (path: string) => boolean;
  /** what every request waits for before it is answered */
  before: (request: string) => Promise<void>;
  close(): Promise<void>;
}

/** Starts it on a port of the system's choice. */
export async function startOwnQuay(): Promise<OwnQuay> {
  const performed: string[] = [];
  const boat = { id: "b1", name: "Alma", owner: "ann", length: 9.5, state: "moored", note: "" };
  const server = createServer((request, response) => {
    void reply(request, response);
  });
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "" } = request;
    await quay.before(`${method} ${url}`);
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (method === "GET") return answer(200, boat);
    if (quay.refuse(url)) return answer(422, { error: "no such berth" });
    performed.push(`${method} ${url}`);
    if (method === "POST") {
      response.writeHead(204);
      return void response.end();
    }
    void json(request).then((body) => answer(200, { ...boat, ...(body as object) }));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const quay: OwnQuay = {
    url: `http://127.0.0.1:${port}`,
    performed,
    refuse: () => false,
    before: async () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return quay;
}
