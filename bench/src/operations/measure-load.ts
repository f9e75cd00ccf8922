import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase, startPostgres } from "@plasm/testkit/postgres";
import { startApi, startServer, type ApiProcess, type ServerProcess } from "./child.ts";
import {
  type Accepted,
  acceptOperation,
  followPolls,
  followStream,
  openSession,
  programOf,
  type Seen,
} from "./load-client.ts";
import { spreadOf, type Spread } from "./quantile.ts";
import type { AnswerTimes } from "./step-clock.ts";

export interface LoadOptions {
  /** under way at the same time */
  readonly operations: number;
  readonly steps: number;
  /** what the API takes for one step, in ms */
  readonly stepMs: number;
  /** time within which all are asked for, in ms, evenly */
  readonly rampMs: number;
  readonly store: "sqlite" | "postgres";
  /** processes that serve, on one store */
  readonly servers: number;
}

/** What a load came to. Times are in milliseconds. */
export interface LoadResult extends LoadOptions {
  readonly name: string;
  readonly failed: number;
  /** what the servers wrote to their logs, which should be nothing */
  readonly complaints: number;
  /** from the API's answer that ends a step to its line at whoever follows the operation */
  readonly progress_ms: Spread;
  readonly progress_stream_ms: Spread;
  readonly progress_poll_ms: Spread;
  /** from the API's last answer to the operation's end at whoever follows it */
  readonly end_ms: Spread;
  readonly accept_ms: Spread;
  /** from the first acceptance to the last end */
  readonly whole_ms: number;
  /** most operations whose acceptance was answered and whose end was not yet seen */
  readonly at_once: number;
  readonly operations_per_second: number;
  readonly requests_per_second: number;
  /** lines that reached followers */
  readonly lines: number;
  /** most memory of each server */
  readonly peak_mb: readonly (number | null)[];
  /** of all servers together */
  readonly cpu_seconds: number | null;
}

/** Operations of one session, so that each limit has to be raised. */
const PER_SESSION = 10;

interface Stage {
  readonly api: ApiProcess;
  readonly servers: readonly ServerProcess[];
  close(): Promise<void>;
}

async function setStage({
  store,
  servers: count,
  stepMs,
  operations,
}: LoadOptions): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-load-"));
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const api = await startApi(join(dir, "apis"), stepMs);
    ends.push(api.stop);
    const env: Record<string, string> = {
      PLASM_BACKEND_QUAY: api.url,
      PLASM_OPERATIONS_PER_SESSION: String(PER_SESSION),
      PLASM_OPERATIONS_PER_TENANT: String(operations),
    };
    if (store === "postgres") {
      const postgres = await startPostgres();
      ends.push(postgres.stop);
      env["PLASM_DATABASE_URL"] = (await createDatabase(postgres.url)).url;
    }
    const servers: ServerProcess[] = [];
    for (let index = 0; index < count; index += 1) {
      const data = store === "postgres" ? join(dir, `data-${index}`) : join(dir, "data");
      const server = await startServer(data, env);
      ends.push(server.stop);
      servers.push(server);
    }
    return { api, servers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One operation from its acceptance to its end. */
interface Followed {
  readonly index: number;
  readonly accepted: Accepted;
  readonly seen: Seen;
  readonly by: "stream" | "poll";
}

const urlAt = (servers: readonly ServerProcess[], index: number): string =>
  servers[index % servers.length]?.url ?? "";

/** Accepts on one server and follows on the next: half by stream, half by polls. */
async function drive(
  { servers }: Stage,
  { operations, steps, rampMs }: LoadOptions,
): Promise<readonly Followed[]> {
  const sessions: string[] = [];
  for (let at = 0; at < operations / PER_SESSION; at += 1) {
    sessions.push(await openSession(urlAt(servers, at), `load ${at}`));
  }
  return Promise.all(
    Array.from({ length: operations }, async (_none, index): Promise<Followed> => {
      const session = sessions[Math.floor(index / PER_SESSION)] ?? "";
      await sleep((index * rampMs) / operations);
      const program = programOf(index, steps);
      const accepted = await acceptOperation(urlAt(servers, index), session, program);
      const other = urlAt(servers, index + 1);
      const by = Math.floor(index / 2) % 2 === 0 ? "stream" : "poll";
      const follow = by === "stream" ? followStream : followPolls;
      return { index, accepted, seen: await follow(other, accepted), by };
    }),
  );
}

/**
 * How late each step was told: step `k` begins when `k - 1` requests are answered, so a line that says `k` or
 * more is due from then on.
 */
function lateness({ index, seen }: Followed, times: AnswerTimes, steps: number): readonly number[] {
  const answered = times[index] ?? [];
  return Array.from({ length: steps - 1 }, (_none, at) => {
    const told = seen.steps.get(at + 2) ?? seen.endedAt;
    return Math.max(0, told - (answered[at] ?? Number.NaN));
  });
}

function mostAtOnce(all: readonly Followed[]): number {
  const changes = all.flatMap(({ accepted: { startedAt, acceptMs }, seen }) => [
    { at: startedAt + acceptMs, by: 1 },
    { at: seen.endedAt, by: -1 },
  ]);
  let [count, most] = [0, 0];
  for (const { by } of changes.toSorted((one, other) => one.at - other.at)) {
    count += by;
    most = Math.max(most, count);
  }
  return most;
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

function resultOf(
  options: LoadOptions,
  all: readonly Followed[],
  times: AnswerTimes,
  { servers }: Stage,
): LoadResult {
  const { operations, steps, store, servers: count } = options;
  const late = (by: readonly string[]): Spread =>
    spreadOf(
      all.filter((one) => by.includes(one.by)).flatMap((one) => lateness(one, times, steps)),
    );
  const ends = all.map(({ index, seen }) => seen.endedAt - (times[index]?.at(-1) ?? Number.NaN));
  const first = Math.min(...all.map(({ accepted }) => accepted.startedAt));
  const whole_ms = Math.max(...all.map(({ seen }) => seen.endedAt)) - first;
  const ended = all.filter(({ accepted, seen }) => seen.last.startsWith(`${accepted.handle} !`));
  const cpu = servers.map((one) => one.cpuSeconds() ?? Number.NaN);
  const said = servers.flatMap((one) => one.complaints().split("\n").filter(Boolean));
  return {
    ...options,
    name: `${operations} operations of ${steps} steps, ${count} ${count === 1 ? "process" : "replicas"} on ${store}`,
    failed: operations - ended.length,
    complaints: said.length,
    progress_ms: late(["stream", "poll"]),
    progress_stream_ms: late(["stream"]),
    progress_poll_ms: late(["poll"]),
    end_ms: spreadOf(ends),
    accept_ms: spreadOf(all.map(({ accepted }) => accepted.acceptMs)),
    whole_ms,
    at_once: mostAtOnce(all),
    operations_per_second: (operations * 1_000) / whole_ms,
    requests_per_second: (sum(Object.values(times).map((one) => one.length)) * 1_000) / whole_ms,
    lines: sum(all.map(({ seen }) => seen.lines)),
    peak_mb: servers.map((one) => one.peakMb()),
    cpu_seconds: Number.isNaN(sum(cpu)) ? null : sum(cpu),
  };
}

/** Has servers run many operations at the same time, and tells how late their progress was told. */
export async function measureLoad(options: LoadOptions): Promise<LoadResult> {
  const stage = await setStage(options);
  try {
    const all = await drive(stage, options);
    const result = resultOf(options, all, await stage.api.times(), stage);
    for (const { seen, accepted } of all) {
      if (!seen.last.startsWith(`${accepted.handle} !`)) console.error(seen.last);
    }
    for (const server of stage.servers)
      if (server.complaints() !== "") console.error(server.complaints());
    return result;
  } finally {
    await stage.close();
  }
}
