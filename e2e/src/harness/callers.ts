import { commandLineTalk } from "./command-line-talk.ts";
import { inspectorTalk } from "./inspector-talk.ts";
import { sdkV1Talk } from "./sdk-v1-talk.ts";
import { connect, SURFACES, type Place } from "./surfaces.ts";
import { talkOfAgent, type Opening, type Talk } from "./talk.ts";

/** The surfaces, and the command line. */
export const OWN_CALLERS = [...SURFACES, "command line"] as const;

/** Clients that others wrote: the SDK of the older protocols, and the Inspector's CLI mode. */
const FOREIGN_CLIENTS = [
  "SDK v1 over stdio",
  "SDK v1 over HTTP",
  "Inspector over stdio",
  "Inspector over HTTP",
] as const;

export const CALLERS = [...OWN_CALLERS, ...FOREIGN_CLIENTS] as const;

export type CallerName = (typeof CALLERS)[number];

/** Opens a session as this caller does; all of them on one data directory. */
export async function openTalk(caller: CallerName, place: Place, opening: Opening): Promise<Talk> {
  switch (caller) {
    case "command line":
      return commandLineTalk(place.url, opening);
    case "SDK v1 over stdio":
      return sdkV1Talk("stdio", place, opening);
    case "SDK v1 over HTTP":
      return sdkV1Talk("HTTP", place, opening);
    case "Inspector over stdio":
      return inspectorTalk("stdio", place, opening);
    case "Inspector over HTTP":
      return inspectorTalk("HTTP", place, opening);
    default: {
      const agent = await connect(caller, place);
      return talkOfAgent(agent, opening, () => agent.close());
    }
  }
}
