import type { Authenticator, Caller, Engine, Identity, SessionAddress } from "@plasm/agent-core";
import type { CallName, CallNote } from "@plasm/host";
import type { Administrators } from "./administrators.ts";
import type { Operators } from "./operators.ts";

/** One request to a route: the engine it is for, who calls, and the parts of its URL. */
export interface RouteCall {
  readonly engine: Engine;
  readonly operators: Operators;
  readonly administrators: Administrators;
  /** who sends it; nobody where the route does not ask */
  readonly identity: Identity;
  readonly caller: Caller;
  readonly auth: Authenticator;
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  /** what the log will say of this call (SURF-28) */
  readonly note: CallNote;
}

/**
 * Who may call a route: anybody; whoever proves an identity of any kind; who the route's own handler lets;
 * agents, and operators for all of their tenant; agents (SURF-23).
 */
export type Access = "public" | "known" | "own" | "overseen" | "agent";

/** A row of SURF-16's table. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** with `:name` where the specification has `{name}` */
  readonly path: string;
  /** what its calls are named in the log; none if they are not logged */
  readonly name?: CallName;
  /** agents alone, unless it says otherwise */
  readonly access?: Access;
  /** query parameters it takes */
  readonly query?: readonly string[];
  /** One call of agent-core; throws what that throws. */
  handle(call: RouteCall): Promise<Response>;
}

/** The session an `/execute/{prompt_hash}/{session_id}` route names. */
export const sessionPair = (params: RouteCall["params"]): SessionAddress => ({
  kind: "pair",
  promptHash: params["prompt_hash"] ?? "",
  sessionId: params["session_id"] ?? "",
});

export const SESSION_PATH = "/execute/:prompt_hash/:session_id";

/** That session as its path, which is how HTTP callers know it. */
export const sessionPath = (params: RouteCall["params"]): string =>
  `/execute/${params["prompt_hash"]}/${params["session_id"]}`;
