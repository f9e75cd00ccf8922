import type { Caller, Engine, SessionAddress } from "@plasm/agent-core";
import type {
  Approvals,
  AuditReader,
  Authenticator,
  CatalogAdmin,
  ProvenIdentity,
  PolicyAdmin,
  RoleHolders,
  SetAsideOperations,
} from "@plasm/agent-core/internal";
import { fail } from "@plasm/agent-core/internal";
import type { Accounts, LoggedCall, CallNote, TenantSettings } from "@plasm/host";

/** One request to a route: the engine it is for, who calls, and the parts of its URL. */
export interface RouteCall {
  readonly engine: Engine;
  readonly operators: Operators;
  readonly administrators: Administrators;
  readonly accounts: Accounts;
  /** who sends it; nobody where the route does not ask */
  readonly identity: ProvenIdentity;
  readonly caller: Caller;
  readonly auth: Authenticator;
  readonly request: Request;
  /** as its answer and the audit log name it */
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  /** what the log will say of this call (SURF-28) */
  readonly note: CallNote;
}

/**
 * Who may call a route: anybody; whoever proves an identity of any kind; who the route's own handler lets;
 * agents, and operators for all of their tenant; agents (SURF-23).
 */
export type RouteAccess = "public" | "known" | "own" | "overseen" | "agent";

/** A row of SURF-16's table. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** with `:name` where the specification has `{name}` */
  readonly path: string;
  /** what its calls are named in the log; none if they are not logged */
  readonly name?: LoggedCall;
  /** agents alone, unless it says otherwise */
  readonly access?: RouteAccess;
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

/** What the routes for administrators work with. MCP and the engine have no part in it (SURF-16). */
export interface Administrators {
  readonly keys: RoleHolders;
  readonly policies: PolicyAdmin;
  readonly catalogs: CatalogAdmin;
  /** the figures of this process as text; null where they are not counted (OPS-44) */
  readonly metrics: (() => Promise<string>) | null;
}

async function nobody(): Promise<never> {
  throw new Error("Nobody administrates or oversees here");
}

/** A deployment without administrators: no key is known, so that nothing is ever changed. */
export const NO_ADMINISTRATORS: Administrators = Object.freeze({
  keys: { recordOf: async () => null },
  policies: { put: nobody },
  catalogs: { import: nobody, withdraw: nobody },
  metrics: null,
});

/** What the routes for operators work with. MCP and the engine have no part in it (OPS-36). */
export interface Operators {
  readonly keys: RoleHolders;
  readonly approvals: Approvals;
  readonly setAside: SetAsideOperations;
  readonly audit: AuditReader;
  /** how their tenant is served (SURF-36) */
  readonly settings: TenantSettings;
}

/** A deployment without operators: no key is known, so that nothing is ever decided. */
export const NO_OPERATORS: Operators = Object.freeze({
  keys: { recordOf: async () => null },
  approvals: {
    list: async () => [],
    page: async () => ({ approvals: [], total: 0, next: null, callers: [] }),
    find: async () => {
      throw new Error("Nobody can decide here");
    },
    decide: async () => {
      throw new Error("Nobody can decide here");
    },
  },
  setAside: {
    list: async () => [],
    count: async () => 0,
    retry: async () => {
      throw new Error("Nobody can decide here");
    },
  },
  audit: {
    page: async () => {
      throw new Error("Nobody reads the audit log here");
    },
  },
  settings: { read: nobody, catalog: nobody },
});

async function nothingKept(): Promise<never> {
  throw fail("plasm-policy-denied", "No accounts are kept here.");
}

/** A deployment that keeps no accounts of callers. */
export const NO_ACCOUNTS: Accounts = Object.freeze({
  list: () => [],
  signIn: nothingKept,
  share: nothingKept,
  revoke: nothingKept,
});

const BEARER = /^bearer +(\S+)$/i;

/** The credential of a request: `X-API-Key` first, then Bearer; null without any (SURF-23). */
export function credentialOf({ headers }: Request): string | null {
  const key = headers.get("x-api-key");
  if (key !== null) return key;
  const [, token] = BEARER.exec(headers.get("authorization") ?? "") ?? [];
  return token ?? null;
}

/** The text of whatever credential a request sends, of a kind that is taken or not; null without any. */
export const sentCredential = ({ headers }: Request): string | null =>
  headers.get("x-api-key") ?? headers.get("authorization")?.replace(/^bearer +/i, "") ?? null;
