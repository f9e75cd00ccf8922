import {
  ERRORS_BODY,
  type Fault,
  type FaultProxy,
  htmlPage,
  hugeBody,
  jsonAnswer,
  redirectTo,
  refusal,
  RESET,
  resetInBody,
  SILENCE,
  startFaultProxy,
  startWitness,
  tooManyRequests,
  TRUNCATED_JSON,
} from "@plasm/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EffectEntry } from "../../effects/effect-log.ts";
import { effectNode, lit } from "../../testing/effect-nodes.ts";
import { quickClock, run } from "../../testing/fixture-run.ts";
import { namedHosts } from "../../testing/named-hosts.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { onTree, plant } from "../../testing/orchard-effects.ts";

/** One effect of each way in which an effect is sent: only the last one has an idempotency header. */
const EFFECTS = {
  create: plant({ name: lit("x") }),
  action: onTree("action", "tree_log", { planted: lit("2026-01-05") }),
  put: onTree("update", "tree_put", { name: lit("x") }),
  remove: onTree("delete", "tree_fell"),
  keyed: onTree("action", "tree_pay", { sum: lit(1) }),
} as const;
type Kind = keyof typeof EFFECTS;
const KINDS = Object.keys(EFFECTS) as readonly Kind[];

type Status = EffectEntry["status"];
/** How often it was sent, and what it is told to be. */
type Ends = readonly [sent: number, status: Status];

interface Row {
  readonly name: string;
  readonly fault: Fault;
  /** POST without idempotency header: create and action */
  readonly post: Ends;
  /** PUT and DELETE without one */
  readonly put: Ends;
  readonly keyed: Ends;
  /** where an effect's answer is not read as rows, it may be fine */
  readonly unread?: Ends;
  readonly endless?: true;
}

const FAILED: Ends = [1, "failed"];
const DOUBT: Ends = [1, "in_doubt"];
const PERSISTS: Ends = [3, "in_doubt"];
const REFUSED: Ends = [3, "failed"];

const unknown = { post: DOUBT, put: DOUBT, keyed: PERSISTS };
const limited = { post: FAILED, put: REFUSED, keyed: REFUSED };
const told = { post: FAILED, put: FAILED, keyed: FAILED };
const unread = { post: DOUBT, put: DOUBT, keyed: DOUBT };

/** RUN-025: what was refused may be sent again by PUT, DELETE or with a key; what is unknown with a key only. */
const TABLE: readonly Row[] = [
  { name: "429", fault: tooManyRequests(), ...limited },
  { name: "429 with Retry-After in seconds", fault: tooManyRequests("2"), ...limited },
  {
    name: "429 with Retry-After as a date",
    fault: tooManyRequests("Mon, 05 Jan 2026 12:00:05 GMT"),
    ...limited,
  },
  { name: "429 that is too long", fault: tooManyRequests("90"), ...told },
  { name: "500", fault: refusal(500), ...told },
  { name: "503", fault: refusal(503), post: DOUBT, put: PERSISTS, keyed: PERSISTS },
  { name: "502", fault: refusal(502), ...unknown },
  { name: "504", fault: refusal(504), ...unknown },
  { name: "a reset before the answer", fault: RESET, ...unknown },
  { name: "a reset in the middle of the body", fault: resetInBody('{"id":7'), ...unknown },
  { name: "a server that never answers", fault: SILENCE, ...unknown, endless: true },
  { name: "200 with errors", fault: ERRORS_BODY, ...told },
  { name: "HTML for JSON", fault: htmlPage(), ...unread },
  { name: "truncated JSON", fault: TRUNCATED_JSON, ...unread, unread: [1, "done"] },
  { name: "a body of 100 MB", fault: hugeBody(100), ...unread },
  { name: "a redirect that changes the method", fault: redirectTo("/elsewhere", 302), ...unread },
  {
    name: "a redirect to another origin",
    fault: redirectTo("https://stranger.example/", 307),
    ...told,
  },
  {
    name: "a redirect to a private address",
    fault: redirectTo("http://169.254.169.254/", 308),
    ...told,
  },
  {
    name: "a redirect in a circle",
    fault: redirectTo("/trees", 307),
    post: [6, "failed"],
    put: [6, "failed"],
    keyed: [6, "failed"],
  },
];

const rowOf = (row: Row, kind: Kind): Ends => {
  if (row.unread !== undefined && (kind === "action" || kind === "remove" || kind === "keyed")) {
    return row.unread;
  }
  if (kind === "keyed") return row.keyed;
  return kind === "put" || kind === "remove" ? row.put : row.post;
};

/** The behaviour of an API that honours idempotency keys: of equal ones it does the first. */
function account(passed: readonly { readonly headers: NodeJS.Dict<string | string[]> }[]): number {
  const keys = passed.map(({ headers }, at) => headers["idempotency-key"] ?? `none ${at}`);
  return new Set(keys).size;
}

const ORCHARD = orchard();
let api: FaultProxy;
let stranger: FaultProxy;

beforeAll(async () => {
  api = await startFaultProxy(() => jsonAnswer({ id: 7, name: "x" }));
  stranger = await startWitness();
});
afterAll(() => Promise.all([api.close(), stranger.close()]));

async function perform(kind: Kind, row: Row, when: "before" | "after") {
  api.follow([{ fault: row.fault, when }]);
  const hosts = { "https://stranger.example": stranger.url };
  const patience = row.endless === true ? { ms: 60, first: 3 } : undefined;
  const transport = namedHosts(hosts, patience);
  const setting = {
    catalogs: [ORCHARD],
    backends: { orchard: api.url },
    clock: quickClock(),
    transport,
  };
  const { effects, nodes, requests } = await run(setting, [effectNode("n1", 0, EFFECTS[kind])]);
  await transport.close();
  const [effect] = effects;
  return { status: effect?.status, error: nodes[0]?.error ?? null, sent: requests.length };
}

/** How many effects those that reached the API come to; PUT and DELETE may be sent again, as they do it once. */
const done = (kind: Kind, sent: number): number =>
  kind !== "keyed" && sent > 1 ? Math.min(1, api.passed.length) : account(api.passed);

describe.each(TABLE)("$name", (row) => {
  test.each(KINDS)("%s", async (kind) => {
    const [sent, status] = rowOf(row, kind);
    for (const when of ["before", "after"] as const) {
      const seen = await perform(kind, row, when);
      expect([seen.sent, seen.status], when).toEqual([sent, status]);
      expect(seen.error?.code === "effect_in_doubt").toBe(status === "in_doubt");
      expect(stranger.requests).toEqual([]);
      // A caller without patience may be gone before its request has arrived.
      const least = row.endless === true ? 0 : sent;
      expect(api.requests.length).toBeGreaterThanOrEqual(least);
      expect(api.requests.length).toBeLessThanOrEqual(sent);
      expect(done(kind, sent)).toBeLessThanOrEqual(when === "after" ? 1 : 0);
      const keys = new Set(api.requests.map(({ headers }) => headers["idempotency-key"]));
      expect(keys.size).toBeLessThanOrEqual(1);
      expect(keys.has(undefined) && kind === "keyed").toBe(false);
    }
  });
});

test("RUN-025 a fault that passes: what may be sent again is done, once", async () => {
  for (const kind of ["put", "remove", "keyed"] as const) {
    api.follow([{ fault: tooManyRequests("1"), on: { first: 1 } }]);
    const clock = quickClock();
    const setting = { catalogs: [ORCHARD], backends: { orchard: api.url }, clock };
    const { effects } = await run(setting, [effectNode("n1", 0, EFFECTS[kind])]);
    expect([effects[0]?.status, api.requests.length, api.passed.length]).toEqual(["done", 2, 1]);
    expect(clock.waits).toEqual([1_000]);
  }
});

test("effects never ride on a connection that was used before", async () => {
  api.follow([]);
  const setting = { catalogs: [ORCHARD], backends: { orchard: api.url } };
  const nodes = [0, 1, 2].map((stage) => effectNode(`n${stage}`, stage, EFFECTS.put));
  await run(setting, nodes);
  expect([api.requests.length, api.connections]).toEqual([3, 3]);
});
