import type { Transport, TransportRequest } from "@plasm/runtime";

/** A request as a test sees it. */
export interface Seen {
  readonly method: string;
  readonly host: string;
  /** path and query */
  readonly path: string;
  /** of its credential, if it has one */
  readonly authorization: string | null;
}

/** An API in memory, and what it was asked: in order of arrival, and how many at a time. */
export interface AnsweringTransport {
  readonly transport: Transport;
  readonly seen: readonly Seen[];
  /** most requests at once, by host */
  readonly most: ReadonlyMap<string, number>;
  forget(): void;
}

const seenOf = ({ method, url, headers }: TransportRequest): Seen => {
  const { host, pathname, search } = new URL(url);
  const header = headers.find(([name]) => name.toLowerCase() === "authorization");
  return { method, host, path: `${pathname}${search}`, authorization: header?.[1] ?? null };
};

/** Answers each request with the JSON that `answer` gives for it, once that is there. */
export function answeringTransport(
  answer: (request: Seen, arrived: number) => unknown,
): AnsweringTransport {
  const seen: Seen[] = [];
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  const move = (host: string, by: number): void => {
    const count = (now.get(host) ?? 0) + by;
    now.set(host, count);
    most.set(host, Math.max(most.get(host) ?? 0, count));
  };
  return {
    seen,
    most,
    forget: () => void seen.splice(0),
    transport: {
      send: async (request) => {
        const one = seenOf(request);
        seen.push(one);
        move(one.host, 1);
        const json = await answer(one, seen.length);
        move(one.host, -1);
        const body = new TextEncoder().encode(JSON.stringify(json));
        const headers = [["content-type", "application/json"]] as const;
        return { ok: true, response: { status: 200, headers, body } };
      },
      close: async () => undefined,
    },
  };
}

/** A boat of quay by the id in its path. */
export const boatAt = (path: string): object => {
  const id = /^\/boats\/([^/?]+)/.exec(path)?.[1] ?? "b1";
  return { id, name: `Boat ${id}`, owner: "ann", length: 9.5, state: "moored", note: "" };
};
