import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HOSTILE_TEXTS, hostileBoat } from "@plasm/testkit";

/** An API whose every text is hostile: rows, refusals, and all of HTTP that may hold a control. */
interface HostileApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Everything at once, in a few thousand characters. */
export const EVERYTHING = HOSTILE_TEXTS.map(({ text }) => text).join(" ");

/** What HTTP lets a header and a reason hold: the controls of one byte above 127. */
const HEADER = "a\u009b2Jb\u0085c\u009dd";

/** Twelve boats, whose texts are all there are. */
const BOATS = Array.from({ length: 12 }, (_, at) =>
  hostileBoat(
    HOSTILE_TEXTS.filter((_text, n) => n % 12 === at)
      .map(({ text }) => text)
      .join(" "),
  ),
);

const REFUSAL = { message: EVERYTHING, errors: { [EVERYTHING]: [EVERYTHING] }, code: EVERYTHING };

/** What is answered to a request: boats are listed and called, everything else is refused. */
function answerTo(method: string, path: string): readonly [status: number, body: unknown] {
  if (method === "GET" && path === "/boats") return [200, { items: BOATS, page: 1, total: 12 }];
  if (method === "POST" && path.endsWith("/ping")) return [200, { [EVERYTHING]: EVERYTHING }];
  return [422, REFUSAL];
}

/** Starts one on a free port of this machine. */
export async function startHostileApi(): Promise<HostileApi> {
  const server = createServer((request, response) => {
    request.resume();
    const { pathname } = new URL(request.url ?? "/", "http://api");
    const [status, body] = answerTo(request.method ?? "", pathname);
    const named = { "x-request-id": HEADER, "www-authenticate": HEADER, etag: HEADER };
    response.writeHead(status, HEADER, {
      "content-type": "application/json",
      ...(status === 200 ? {} : { "retry-after": HEADER, location: HEADER }),
      ...named,
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
