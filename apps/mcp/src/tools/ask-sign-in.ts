import { createHash } from "node:crypto";
import type { Problem } from "@plasm/agent-core";
import { problem, type SignInLink } from "@plasm/agent-core/internal";
import {
  inputRequired,
  type InputRequiredResult,
  type Server,
  type ServerContext as RequestContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import type { Connect } from "@plasm/host";
import type { DeclaredClient } from "../wire/declared-client.ts";

/** How long one request is held while a person signs in: clients give up on one after a minute. */
const HELD_MS = 45_000;
/** How long a call waits for its person once they have opened the page: as many rounds as clients go. */
const WAITED_MS = 5 * 60_000;
/** The same in all where it is one request from its beginning to its end, the person's answer included. */
const STANDING_MS = 50_000;
/** Pages that one call leads to. */
const MOST_PAGES = 20;

/** What calls of one server are asked and answered with. */
export interface AskSetting {
  /** 2026-07-28 is spoken, else one of the 2025 protocols */
  readonly modern: boolean;
  /** the connection can be written to at any time */
  readonly standing: boolean;
  readonly connect: Pick<Connect, "settled">;
  /** how long a call is held on a connection that stands, in ms; less than its client waits for an answer */
  readonly heldMs?: number | undefined;
  readonly declared: () => Promise<Pick<DeclaredClient, "leadsToUrls">>;
}

/** What comes back with what a person said: the pages that were shown, and until when their sign-in is waited for, once it is. */
interface AskedState {
  readonly until?: number | undefined;
  readonly urls: readonly string[];
}

/** What a client sends back is its own: it decides how long this call waits, and nothing else. The wait begins with its first answer. */
function readState(text: unknown, now: number): (AskedState & { readonly until: number }) | null {
  try {
    const state = JSON.parse(String(text)) as { until?: unknown; urls?: unknown };
    const { until = now + WAITED_MS, urls } = state;
    if (typeof until !== "number" || !Array.isArray(urls)) return null;
    const pages = (urls as readonly unknown[]).filter((url) => typeof url === "string");
    return { until: Math.min(until, now + WAITED_MS), urls: pages.slice(0, MOST_PAGES) };
  } catch {
    return null;
  }
}

/** What names an elicitation in the 2025 protocols. It tells nobody the page. */
const elicitationOf = (url: string): string =>
  createHash("sha256").update(url).digest("hex").slice(0, 32);

const inLegacy = ({ url, message }: SignInLink) =>
  ({ mode: "url", url, message, elicitationId: elicitationOf(url) }) as const;

/** Asks the person of a call to open pages; the call comes again with what they said. */
function askToOpen(pages: readonly SignInLink[]): InputRequiredResult {
  const state: AskedState = { urls: pages.map(({ url }) => url) };
  const named = pages.map(
    ({ url, message }, index) =>
      [`sign-in-${index + 1}`, inputRequired.elicitUrl({ url, message })] as const,
  );
  return inputRequired({
    inputRequests: Object.fromEntries(named),
    requestState: JSON.stringify(state),
  });
}

/** A call whose person has signed in, or can no more: it runs now. */
export const RUNS_NOW = Symbol("runs now");

/**
 * Leads the person of a call there on a connection that stands, and waits, within the one request that the call is. Null where that takes
 * longer than clients wait: the answer's text has the pages, which stay open.
 */
async function leadThere(
  server: Server,
  pages: readonly SignInLink[],
  { connect, heldMs = STANDING_MS }: Pick<AskSetting, "connect" | "heldMs">,
  { mcpReq }: RequestContext,
): Promise<Problem | typeof RUNS_NOW | null> {
  const { id: relatedRequestId, signal } = mcpReq;
  const until = performance.now() + heldMs;
  const left = (): number => Math.max(1, until - performance.now());
  const said = await Promise.all(
    pages.map((link) =>
      server
        .elicitInput(inLegacy(link), { relatedRequestId, signal, timeout: left() })
        // Without an answer in time, or from a client that cannot do it after all, the text says it.
        .catch(() => ({ action: "late" })),
    ),
  );
  if (said.some(({ action }) => action === "decline" || action === "cancel")) return declined();
  if (said.some(({ action }) => action !== "accept")) return null;
  const came = await Promise.all(
    pages.map(async ({ url }) => {
      const state = await connect.settled(url, { ms: left(), signal });
      if (state === "signed_in")
        await server
          .createElicitationCompletionNotifier(elicitationOf(url))()
          .catch(() => undefined);
      return state;
    }),
  );
  return came.includes("open") ? null : RUNS_NOW;
}

/**
 * What a call is answered whose person must sign in first; null where its client leads nobody to pages, so that the text says it (RUN-131). A
 * server that answers HTTP requests of the 2025 protocols one by one sends none itself: there it is the error that names the pages,
 * whose message has all that the text has.
 */
export async function askToSignIn(
  server: Server,
  { modern, standing, declared, ...setting }: AskSetting,
  request: RequestContext,
  { signIns, text }: Problem,
): Promise<InputRequiredResult | UrlElicitationRequiredError | Declined | typeof RUNS_NOW | null> {
  const pages = signIns.slice(0, MOST_PAGES);
  if (!(await declared()).leadsToUrls) return null;
  if (modern) return askToOpen(pages);
  if (standing) {
    const came = await leadThere(server, pages, setting, request);
    return came === null || came === RUNS_NOW ? came : new Declined(came);
  }
  return new UrlElicitationRequiredError(pages.map(inLegacy), text);
}

/**
 * Waits for the person of a call that was asked before: that they opened a page is no sign that they are signed in. Null where the
 * call may run now; else what it is answered. A refusal runs nothing, and nobody is asked twice.
 */
export async function waitForSignIn(
  { modern, connect }: AskSetting,
  { mcpReq }: RequestContext,
): Promise<InputRequiredResult | Declined | null> {
  if (!modern) return null;
  const now = Date.now();
  const asked = readState(mcpReq.requestState(), now);
  if (asked === null) return null;
  const said = Object.values(mcpReq.inputResponses ?? {}) as readonly { action?: unknown }[];
  if (said.some(({ action }) => action !== "accept")) return new Declined(declined());
  const ms = Math.max(0, Math.min(HELD_MS, asked.until - now));
  const { signal } = mcpReq;
  const settled = await Promise.all(asked.urls.map((url) => connect.settled(url, { ms, signal })));
  if (!settled.includes("open")) return null;
  return asked.until <= Date.now() ? null : inputRequired({ requestState: JSON.stringify(asked) });
}

/** The person of a call did not agree: what it is answered with. */
export class Declined {
  readonly problem: Problem;

  constructor(problem: Problem) {
    this.problem = problem;
  }
}

const declined = (): Problem =>
  problem(
    "plasm-upstream-auth",
    "not run: nothing was sent\nThe user did not agree to open the page on which they sign in. Ask them before you send this again.",
  );
