import { createHash } from "node:crypto";
import type { Problem } from "@plasm/agent-core";
import { problem, type SignInLink } from "@plasm/agent-core/internal";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  type Server,
  type ServerContext as RequestContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import type { Connect } from "@plasm/host";
import { problemResult } from "../wire/results.ts";

/** How long one request is held while a person signs in: clients give up on one after a minute. */
const HELD_MS = 45_000;
/** How long a call waits for its person in all: as many rounds as clients go. */
const WAITED_MS = 5 * 60_000;
/** Pages that one call leads to. */
const MOST_PAGES = 20;

/** Whether a client leads people to addresses that it is given (elicitation of mode url). */
export function leadsToUrls(declared: unknown): boolean {
  const { elicitation } = (declared ?? {}) as { readonly elicitation?: { readonly url?: unknown } };
  return typeof elicitation?.url === "object" && elicitation.url !== null;
}

/** What calls of one server are asked and answered with. */
export interface AskSetting {
  /** 2026-07-28 is spoken, else one of the 2025 protocols */
  readonly modern: boolean;
  /** the connection can be written to at any time */
  readonly standing: boolean;
  readonly connect: Pick<Connect, "settled">;
  /** what the connection of an HTTP request of the 2025 protocols declared when it was opened */
  readonly declared: () => Promise<boolean>;
}

/** What comes back with what a person said: the pages that were shown, and until when their sign-in is waited for. */
interface AskedState {
  readonly until: number;
  readonly urls: readonly string[];
}

/** What a client sends back is its own: it decides how long this call waits, and nothing else. */
function readState(text: unknown, now: number): AskedState | null {
  try {
    const { until, urls } = JSON.parse(String(text)) as { until?: unknown; urls?: unknown };
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

function requestFor(link: SignInLink, modern: boolean): InputRequest {
  if (!modern) return { method: "elicitation/create", params: inLegacy(link) };
  const { url, message } = link;
  return inputRequired.elicitUrl({ url, message });
}

/** Asks the person of a call to open pages; the call comes again with what they said. */
function askToOpen(pages: readonly SignInLink[], modern: boolean): InputRequiredResult {
  const state: AskedState = {
    until: Date.now() + WAITED_MS,
    urls: pages.map(({ url }) => url),
  };
  const named = pages.map(
    (link, index) => [`sign-in-${index + 1}`, requestFor(link, modern)] as const,
  );
  return inputRequired({
    inputRequests: Object.fromEntries(named),
    requestState: JSON.stringify(state),
  });
}

/** What a request of 2026-07-28 says that its client can do. */
const declaredIn = (envelope: object = {}): unknown =>
  new Map<string, unknown>(Object.entries(envelope)).get(CLIENT_CAPABILITIES_META_KEY);

/**
 * What a call is answered whose person must sign in first; null where its client leads nobody to pages, so that the text says it (RUN-131). A
 * server that answers HTTP requests of the 2025 protocols one by one sends none itself: there it is the error that names the pages,
 * whose message has all that the text has.
 */
export async function askToSignIn(
  server: Server,
  { modern, standing, declared }: AskSetting,
  { mcpReq }: RequestContext,
  { signIns, text }: Problem,
): Promise<InputRequiredResult | UrlElicitationRequiredError | null> {
  const pages = signIns.slice(0, MOST_PAGES);
  if (modern) return leadsToUrls(declaredIn(mcpReq.envelope)) ? askToOpen(pages, modern) : null;
  if (standing)
    return leadsToUrls(server.getClientCapabilities()) ? askToOpen(pages, modern) : null;
  return (await declared()) ? new UrlElicitationRequiredError(pages.map(inLegacy), text) : null;
}

/**
 * Waits for the person of a call that was asked before: that they opened a page is no sign that they are signed in. Null where the
 * call may run now; else what it is answered. A refusal runs nothing, and nobody is asked twice.
 */
export async function waitForSignIn(
  server: Server,
  { modern, standing, connect }: AskSetting,
  { mcpReq }: RequestContext,
  structured: boolean,
): Promise<InputRequiredResult | CallToolResult | null> {
  const now = Date.now();
  const asked = readState(mcpReq.requestState(), now);
  if (asked === null) return null;
  const said = Object.values(mcpReq.inputResponses ?? {}) as readonly { action?: unknown }[];
  if (said.some(({ action }) => action !== "accept")) return problemResult(declined(), structured);
  const ms = Math.max(0, Math.min(HELD_MS, asked.until - now));
  const { signal } = mcpReq;
  const settled = await Promise.all(asked.urls.map((url) => connect.settled(url, { ms, signal })));
  if (settled.every(Boolean)) {
    const isTold = !modern && standing;
    for (const url of isTold ? asked.urls : [])
      await server
        .createElicitationCompletionNotifier(elicitationOf(url))()
        .catch(() => undefined);
    return null;
  }
  return asked.until <= Date.now() ? null : inputRequired({ requestState: JSON.stringify(asked) });
}

const declined = (): Problem =>
  problem(
    "plasm-upstream-auth",
    "not run: nothing was sent\nThe user did not agree to open the page on which they sign in. Ask them before you send this again.",
  );
