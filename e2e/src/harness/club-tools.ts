import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";

interface Loan {
  readonly no: number;
  readonly member: string;
  readonly due: string;
  readonly slip?: string;
}

const TOOLS = [
  { id: 7, name: "Small drill", kind: "drill", meta: { bought: "2024-03-01" }, keeper: "ann" },
  { id: 5, name: "Long ladder", kind: "ladder", meta: { bought: "2023-06-30" }, keeper: "bob" },
  { id: 8, name: "Hammer drill", kind: "drill", meta: { bought: "2025-01-15" }, keeper: "ann" },
  { id: 9, name: "Old drill", kind: "drill", meta: {}, keeper: "bob" },
];
const MEMBERS = [
  { login: "ann", name: "Ann" },
  { login: "bob", name: "Bob" },
];
const MANUAL = ["Wear glasses.", "Unplug it first."];
const PAGE = 2;

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function toolPage(query: URLSearchParams): object {
  const kind = query.get("kind");
  const fitting = TOOLS.filter((tool) => kind === null || tool.kind === kind);
  const from = (Number(query.get("page") ?? 1) - 1) * PAGE;
  return { items: fitting.slice(from, from + PAGE), pages: Math.ceil(fitting.length / PAGE) };
}

const found = (one: object | undefined): readonly [number, object] =>
  one === undefined ? [404, { message: "There is none." }] : [200, one];

/** The API of docs/authoring.md as that page describes it, for requests that carry the key. */
export function clubTools(key: string): RequestListener {
  const loans = new Map<string, Loan[]>([["7", [{ no: 1, member: "bob", due: "2026-01-31" }]]]);
  const answer = async (request: IncomingMessage): Promise<readonly [number, object]> => {
    if (request.headers["x-key"] !== key) return [401, { message: "Whose key is that?" }];
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://tools");
    const [, , what = "", id = "", part = ""] = pathname.split("/");
    if (what === "members") return found(MEMBERS.find(({ login }) => login === id));
    if (what !== "tools") return found(undefined);
    if (id === "") return [200, toolPage(searchParams)];
    if (part === "") {
      const tool = TOOLS.find((each) => String(each.id) === id);
      return found(tool && { ...tool, manual: MANUAL });
    }
    const own = loans.get(id) ?? [];
    if (request.method === "GET") return [200, { items: own }];
    const { member, due, slip } = (await json(request)) as Omit<Loan, "no">;
    const loan = { no: own.length + 1, member, due, ...(slip === undefined ? {} : { slip }) };
    loans.set(id, [...own, loan]);
    return [201, loan];
  };
  return (request, response) => {
    void answer(request).then(([status, body]) => send(response, status, body));
  };
}
