import type { Client } from "@modelcontextprotocol/client";
import { tokens } from "../harness/tokens.ts";
import { stable } from "../transcripts/stable.ts";
import type { HeldRequests } from "./held-requests.ts";
import type { Call, Move, Told } from "./tour-page.ts";

interface Meta {
  readonly plasm?: {
    readonly execute_binding?: { readonly prompt_hash: string; readonly session_id: string };
  };
}

/** Where a tour is held: by a client, at a server, on APIs that can be kept waiting. */
interface TourPlace {
  readonly client: Client;
  readonly url: string;
  readonly requests: HeldRequests;
  /** Asks again until it is so. */
  readonly until: (look: () => Promise<string>, expected: string) => Promise<void>;
}

/** How long ago something was depends on the machine. */
const ageless = (text: string): string =>
  text.replaceAll(/ran (?:less than )?\d+ s ago/g, "ran 1 s ago");

/** Makes the moves one after another; gives what each call told. */
export async function holdTour(moves: readonly Move[], place: TourPlace): Promise<readonly Told[]> {
  const { client, url, requests, until } = place;
  const told: Told[] = [];
  let session = "";

  const call = async ({ tool, args }: Call): Promise<void> => {
    const { content, _meta: meta } = await client.callTool({ name: tool, arguments: { ...args } });
    const [block] = content;
    if (content.length !== 1 || block?.type !== "text") throw new Error(JSON.stringify(content));
    const binding = (meta as Meta | undefined)?.plasm?.execute_binding;
    if (binding !== undefined)
      session = `${url}/execute/${binding.prompt_hash}/${binding.session_id}`;
    const text = ageless(stable(block.text, url));
    told.push({ text, sent: tokens(JSON.stringify(args)), read: tokens(text) });
  };

  /** Looking at an operation this way is no poll: what it tells next stays news. */
  const lineOf = async (handle: string): Promise<string> => {
    const response = await fetch(`${session}/operations/${handle}`);
    return ((await response.json()) as { readonly line: string }).line;
  };

  for (const move of moves) {
    switch (move.kind) {
      case "call":
        await call(move.call);
        break;
      case "hold":
        requests.hold(move.target);
        break;
      case "release":
        requests.release();
        break;
      case "until": {
        const [handle = ""] = move.line.split(" ");
        await until(() => lineOf(handle), move.line);
        break;
      }
    }
  }
  return told;
}
