/** What came back for one request, whole. */
export interface Answer {
  /** method and path */
  readonly request: string;
  readonly status: number;
  readonly location: string | null;
  readonly type: string;
  readonly body: string;
}

/** Says where the next call goes, and may do something before. */
export type Route = () => Promise<string>;

/**
 * Sends each call of a client to wherever `route` says and keeps the answers. A stream of notices is no
 * call: it is opened somewhere and not kept.
 */
export class Recorder {
  readonly answers: Answer[] = [];
  readonly #route: Route;
  #last = "";

  constructor(route: Route) {
    this.#route = route;
  }

  /** As `fetch`; host and port of `url` count for nothing. */
  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const method = init?.method ?? "GET";
    const { pathname, search } = new URL(url, "http://replica");
    const path = `${pathname}${search}`;
    if (method === "GET" && pathname === "/mcp") return fetch(new URL(path, this.#last), init);
    this.#last = await this.#route();
    const response = await fetch(new URL(path, this.#last), { redirect: "manual", ...init });
    const body = await response.text();
    const { status, headers } = response;
    this.answers.push({
      request: `${method} ${path}`,
      status,
      location: headers.get("location"),
      type: headers.get("content-type") ?? "",
      body,
    });
    const bodiless = status === 204 || status === 304;
    return new Response(bodiless ? null : body, { status, headers });
  };
}
