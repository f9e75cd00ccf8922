import type { Transport } from "@plasm/runtime";

/** One boat as an API in memory, and the requests that it got. */
export interface BoatTransport {
  readonly transport: Transport;
  readonly sent: string[];
}

export function boatTransport(): BoatTransport {
  const sent: string[] = [];
  const headers = [["content-type", "application/json"]] as const;
  return {
    sent,
    transport: {
      send: async ({ method, url }) => {
        const { pathname } = new URL(url);
        sent.push(`${method} ${pathname}`);
        const [, , id = "b1"] = pathname.split("/");
        const one = pathname !== "/boats";
        const boat = { id, name: "Alma", owner: "ann", length: "9.5", state: "moored", note: "" };
        const answer = one
          ? boat
          : { items: [boat, { ...boat, id: "b2" }, { ...boat, id: "b3" }], page: 1, total: 3 };
        const body = new TextEncoder().encode(JSON.stringify(answer));
        return { ok: true, response: { status: 200, headers, body } };
      },
      close: async () => undefined,
    },
  };
}
