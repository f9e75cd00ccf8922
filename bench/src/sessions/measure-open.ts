import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, type ServerProcess } from "../operations/child.ts";
import { now } from "../operations/now.ts";
import { spreadOf, type Spread } from "../operations/quantile.ts";

export interface OpenOptions {
  /** open at the same time */
  readonly sessions: number;
  /** of which the next calls are measured, spread evenly over all */
  readonly called: number;
}

export interface OpenResult extends OpenOptions {
  /** next calls while all are open, each of another session: a context that adds nothing, a plan */
  readonly all_ms: Readonly<Record<"context" | "plan", Spread>>;
  /** the same calls as often, in turn with them, of the one session of another server */
  readonly one_ms: Readonly<Record<"context" | "plan", Spread>>;
  /** how much slower the middle call is; at most 2 */
  readonly slower: Readonly<Record<"context" | "plan", number>>;
  /** the middle time to open one of the first tenth, and of the last */
  readonly open_ms: { readonly first: number; readonly last: number };
  /** most memory the server's process has had; at most 1,024; null where the system does not tell */
  readonly peak_mb: number | null;
}

const JSON_BODY = { accept: "application/json", "content-type": "application/json" };
const SEEDS = [
  { api: "quay", entity: "Boat" },
  { api: "quay", entity: "Person" },
];
/** Openings under way at the same time. */
const AT_ONCE = 8;

async function post(url: string, body: object, due: number): Promise<Response> {
  const sent = { method: "POST", redirect: "manual", headers: JSON_BODY } as const;
  const response = await fetch(url, { ...sent, body: JSON.stringify(body) });
  if (response.status !== due) throw new Error(`${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return response;
}

interface Opened {
  readonly place: string;
  readonly ms: number;
}

async function openSession(url: string, at: number): Promise<Opened> {
  const began = now();
  const opened = await post(`${url}/execute`, { intent: `open ${at}`, seeds: SEEDS }, 303);
  return { place: `${url}${opened.headers.get("location") ?? ""}`, ms: now() - began };
}

async function openAll({ url }: ServerProcess, count: number): Promise<readonly Opened[]> {
  const all: Opened[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = (next += 1); at <= count; at = next += 1) {
      all[at - 1] = await openSession(url, at);
      if (at % 1_000 === 0) console.error(`${at} of ${count} are open`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return all;
}

const CALLS = ["context", "plan"] as const;

type Times = Readonly<Record<(typeof CALLS)[number], number[]>>;

const noTimes = (): Times => ({ context: [], plan: [] });
const spreads = ({ context, plan }: Times) => ({
  context: spreadOf(context),
  plan: spreadOf(plan),
});

/** Calls a session, and notes what its calls took. */
async function callSession(place: string, times: Times): Promise<void> {
  const timed = async (to: number[], url: string, body: object): Promise<void> => {
    const began = now();
    await post(url, body, 200);
    to.push(now() - began);
  };
  await timed(times.context, `${place}/context`, { seeds: SEEDS });
  await timed(times.plan, place, { program: "Boat.limit(1)", mode: "plan" });
}

/** Calls each of many sessions and after each the one of another server, so that both meet the same machine. */
async function callInTurn(many: readonly string[], one: string) {
  const [all, alone] = [noTimes(), noTimes()];
  for (const place of many) {
    await callSession(place, all);
    await callSession(one, alone);
  }
  return { all_ms: spreads(all), one_ms: spreads(alone) };
}

async function onServer<T>(work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-open-"));
  const server = await startServer(dir, {});
  try {
    return await work(server);
  } finally {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Calls that come before any is measured: a server that has just started is slower. */
const WARM_UP = 200;

/** So many of a list, spread evenly over all of it. */
function spreadOver<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_one, at) => at % step === 0).slice(0, count);
}

/** How much many open sessions in SQLite hold, and how slow they make the next call of each. */
export async function measureOpen(options: OpenOptions): Promise<OpenResult> {
  const { sessions, called } = options;
  return onServer((server) =>
    onServer(async (other) => {
      const one = (await openSession(other.url, 0)).place;
      const opened = await openAll(server, sessions);
      for (let at = 0; at < Math.min(WARM_UP, called); at += 1) await callSession(one, noTimes());
      const places = spreadOver(opened, called).map(({ place }) => place);
      const { all_ms, one_ms } = await callInTurn(places, one);
      const tenth = Math.ceil(sessions / 10);
      const middle = (some: readonly Opened[]) => spreadOf(some.map(({ ms }) => ms)).p50;
      return {
        ...options,
        all_ms,
        one_ms,
        slower: {
          context: all_ms.context.p50 / one_ms.context.p50,
          plan: all_ms.plan.p50 / one_ms.plan.p50,
        },
        open_ms: { first: middle(opened.slice(0, tenth)), last: middle(opened.slice(-tenth)) },
        peak_mb: server.peakMb(),
      };
    }),
  );
}
