import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An API of tenant-made forms, and a node of a chain, on one port. */
export interface DeskApi {
  readonly url: string;
  /** `POST /api/mails`, and for the node `eth_call`; with the body of what is no read */
  readonly asked: { readonly line: string; readonly body: unknown }[];
  close(): Promise<void>;
}

const word = (hex: string): string => hex.replace(/^0x/, "").padStart(64, "0");

const COLUMNS = [
  { key: "height (m)", type: "int" },
  { key: "kind", type: "text" },
];
const PEOPLE = ["Ann", "Bob", "Bob"].map((name, at) => ({ id: `p${at + 1}`, name }));
const entry = (id: string): object => ({
  id,
  title: `the ${id}`,
  cells: { "height (m)": "12", kind: "oak" },
});

function answerApi(method: string, path: string): unknown {
  if (method === "POST") return path === "/api/mails" ? { id: "m1" } : { ok: true };
  if (path === "/api/forms") {
    return { results: ["trees", "old books"].map((id) => ({ id, columns: COLUMNS })) };
  }
  if (path === "/api/people") return { results: PEOPLE };
  if (path.endsWith("/entries")) return { results: [entry("a"), entry("b")] };
  return entry(path.split("/").at(-1) ?? "");
}

/** What a node of Sepolia says; balances and logs are ABI data written out by hand. */
function answerNode(method: string): unknown {
  switch (method) {
    case "eth_chainId":
      return "0xaa36a7";
    case "eth_blockNumber":
      return "0x7d0";
    case "eth_getLogs":
      return [
        {
          address: "0x00000000000000000000000000000000000000aa",
          topics: [
            "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
            `0x${word("11".repeat(20))}`,
            `0x${word("22".repeat(20))}`,
          ],
          data: `0x${word("2a")}`,
          blockNumber: "0x640",
          logIndex: "0x3",
          transactionHash: `0x${"ab".repeat(32)}`,
          removed: false,
        },
      ];
    default:
      return `0x${"f".repeat(64)}`;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Starts it on a free port. */
export async function startDeskApi(): Promise<DeskApi> {
  const asked: { line: string; body: unknown }[] = [];
  const server = createServer((request, response) => {
    const { method = "GET", url = "/" } = request;
    void textOf(request).then((text) => {
      const body: unknown = text === "" ? null : JSON.parse(text);
      const { pathname } = new URL(url, "http://desk");
      const called = pathname === "/rpc" ? (body as { method: string }).method : null;
      asked.push({ line: called ?? `${method} ${pathname}`, body });
      const result = called === null ? answerApi(method, pathname) : answerNode(called);
      const told = called === null ? result : { jsonrpc: "2.0", id: 1, result };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(told));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
