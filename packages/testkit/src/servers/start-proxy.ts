import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A proxy, and what it was asked for: `CONNECT host:port`, or a method and a whole address. */
export interface TestProxy {
  readonly url: string;
  readonly log: string[];
  close(): Promise<void>;
}

/** How a proxy leads to hosts: its own table of names, as proxies of inner networks have one, and the status it refuses all with. */
export interface ProxyManner {
  readonly hosts?: Readonly<Record<string, string>>;
  readonly refuses?: number;
  /** what `Proxy-Authorization` must be */
  readonly credential?: string;
}

/** A real forward proxy on a free loopback port: it tunnels, and passes plain requests on. */
export async function startProxy({
  hosts = {},
  refuses,
  credential,
}: ProxyManner = {}): Promise<TestProxy> {
  const log: string[] = [];
  const placeOf = (authority: string): URL => new URL(`http://${hosts[authority] ?? authority}`);
  const refusal = (sent: string | undefined): number | undefined =>
    refuses ?? (credential === undefined || sent === credential ? undefined : 407);
  const server = createServer((incoming, response) => {
    log.push(`${incoming.method ?? ""} ${incoming.url ?? ""}`);
    const status = refusal(incoming.headers["proxy-authorization"]);
    if (status !== undefined) return void response.writeHead(status).end();
    const { host: authority, pathname, search } = new URL(incoming.url ?? "");
    const { hostname, port } = placeOf(authority);
    const { method, headers } = incoming;
    const onward = httpRequest({ hostname, port, path: pathname + search, method, headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket) => {
    log.push(`CONNECT ${incoming.url ?? ""}`);
    const status = refusal(incoming.headers["proxy-authorization"]);
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const { hostname, port } = placeOf(incoming.url ?? "");
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
