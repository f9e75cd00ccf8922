import { stable } from "../transcripts/stable.ts";
import type { GuideServer } from "./guide-server.ts";
import type { Asked } from "./guide-page.ts";
import { filled, membersWith, type Members } from "./members.ts";
import { readAnswer, type Answered } from "./print-answer.ts";

/** A request with what was answered. */
export interface Held {
  readonly asked: Asked;
  /** as it was sent, members filled in */
  readonly path: string;
  readonly status: number;
  /** what the page shows of the answer */
  readonly shown: string;
}

/** What differs from run to run is written the same. */
function settled(text: string, { addresses }: GuideServer): string {
  const [own, ...others] = addresses;
  const named = others.reduce((before, [from, to]) => before.replaceAll(from, to), text);
  return stable(named, own?.[0] ?? "")
    .replaceAll(/"ms": ?\d+/g, '"ms": <ms>')
    .replaceAll(/"op": \{ "n": \d+/g, '"op": { "n": <n>')
    .replaceAll(/^id: \d+$/gm, "id: <n>")
    .replaceAll(/"next": "\d{13}\.[^"]+"/g, '"next": "<cursor>"')
    .replaceAll(/\bplasm_[0-9a-f]{16}_[\w-]{43}\b/g, "<key>");
}

/** Whether a request is one of those that stand in traces (SURF-29). */
const isTraced = ({ method, path }: Pick<Asked, "method" | "path">): boolean =>
  path.startsWith("/execute") &&
  (method === "POST" ? !path.endsWith("/grafts") : /\/grafts\/[^/]+$/.test(path));

interface Traces {
  readonly traces: readonly { readonly totals: { readonly calls: number } }[];
}

/** Resolves when the traces tell of so many calls: they are written a moment after the answers. */
async function untilTraced({ url, keys }: GuideServer, calls: number): Promise<void> {
  for (;;) {
    const headers = { "x-api-key": keys["AGENT_KEY"] ?? "" };
    const { traces } = (await (await fetch(`${url}/v1/traces`, { headers })).json()) as Traces;
    if (traces.reduce((sum, { totals }) => sum + totals.calls, 0) >= calls) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function send(
  server: GuideServer,
  { asked, path, members }: { asked: Asked; path: string; members: Members },
): Promise<Answered> {
  const fill = (text: string): string => filled(text, server.keys, members);
  const headers = Object.entries(asked.headers).map(
    ([name, value]) => [name, fill(value)] as const,
  );
  const response = await fetch(`${server.url}${path}`, {
    method: asked.method,
    headers: Object.fromEntries(headers),
    redirect: "manual",
    ...(asked.body === null ? {} : { body: fill(asked.body) }),
  });
  return readAnswer(response, { path, without: asked.without });
}

/** Sends the requests of a page one after another, each with what the answers before it had. */
export async function holdGuide(
  server: GuideServer,
  requests: readonly Asked[],
): Promise<readonly Held[]> {
  const held: Held[] = [];
  let members: Members = new Map();
  let traced = 0;
  const lastOfTraces = requests.findLastIndex(({ path }) => path.startsWith("/v1/traces"));
  for (const [n, asked] of requests.entries()) {
    const path = filled(asked.path, server.keys, members);
    const { status, text, shown } = await send(server, { asked, path, members });
    members = membersWith(members, text);
    held.push({ asked, path, status, shown: settled(shown, server) });
    if (isTraced(asked)) traced += 1;
    if (n < lastOfTraces) await untilTraced(server, traced);
  }
  return held;
}
