import type { RecordKind, Store } from "@plasm/agent-core";
import { sweep } from "@plasm/agent-core/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoreUnderTest } from "@plasm/agent-core/testing";

const T0 = 1_800_000_000_000;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** What must stay, however old: who may decide, what tenants may do, and what people keep. */
const STAYS = {
  auditHead: 1,
  key: 1,
  policy: 1,
  policyVersion: 1,
  importedCatalog: 1,
  offer: 1,
  sweep: 1,
  savedProgram: 1,
  // one that is made here, one of the run
  drift: 1,
  schedule: 1,
  watched: 1,
  wake: 1,
};

/** Every kind of record: one that is not made here does not compile. */
const KINDS: { readonly [K in RecordKind]: true } = {
  approval: true,
  auditEvent: true,
  auditHead: true,
  auditLine: true,
  commit: true,
  connection: true,
  consoleSession: true,
  connectionSession: true,
  cursor: true,
  dropped: true,
  effect: true,
  ended: true,
  expected: true,
  file: true,
  graft: true,
  graftSet: true,
  key: true,
  logical: true,
  mark: true,
  minted: true,
  notice: true,
  number: true,
  operation: true,
  task: true,
  output: true,
  overlay: true,
  policy: true,
  policyVersion: true,
  importedCatalog: true,
  offer: true,
  poll: true,
  quota: true,
  savedProgram: true,
  drift: true,
  driftSigns: true,
  schedule: true,
  watched: true,
  watchEvent: true,
  wake: true,
  rejection: true,
  seat: true,
  setAside: true,
  snapshot: true,
  sweep: true,
  trace: true,
  traceEvents: true,
  unfinished: true,
  waiting: true,
};

/** What is no record. */
const TABLES = ["blobs", "catalogs", "counters", "sessions", "slots", "waves"];

/** How long things stay after what this test does at T0 (SESS-37): gone at the time, there right before. */
const TIMES: readonly (readonly [string, readonly string[], number])[] = [
  ["overlays, that serve ten minutes", ["overlay"], 660 * SECOND],
  [
    "what died with its process, and a sign-in to the console that is over",
    ["unfinished", "seat", "setAside", "consoleSession"],
    HOUR,
  ],
  ["what a session has, that waited for an operator", ["waves", "catalogs", "waiting"], 24 * HOUR],
  ["notices that nobody could be told, and days of quotas", ["notice", "quota"], 2 * DAY],
  [
    "snapshots, pages, files, traces",
    ["snapshot", "cursor", "file", "trace", "traceEvents"],
    7 * DAY,
  ],
  [
    "connections, and what answers had",
    ["connection", "connectionSession", "driftSigns"],
    30 * DAY,
  ],
  [
    "sessions, 30 days from their last hour",
    ["logical", "slots", "rejection", "graftSet", "graft"],
    31 * DAY - HOUR,
  ],
  ["lines of audit logs", ["auditLine"], 365 * DAY],
];

/** What a sweep must do on every store (SESS-37), once it holds a record of each kind at least. */
export function sweepContract(
  name: string,
  open: () => Promise<StoreUnderTest>,
  someOfEverything: (store: Store) => Promise<void>,
): void {
  describe(`sweep contract: ${name}`, () => {
    let under: StoreUnderTest;
    beforeEach(async () => {
      under = await open();
      under.setNow(T0);
    });
    afterEach(() => under.dispose());

    it("SESS-37 nothing grows without bound: of everything, what must stay is left", async () => {
      const { store, setNow, held } = under;
      await someOfEverything(store);
      expect(Object.keys(await held()).toSorted()).toEqual(
        [...Object.keys(KINDS), ...TABLES].toSorted(),
      );
      await sweep(store);
      const before = await held();
      for (const [what, kinds, after] of TIMES) {
        setNow(T0 + after - SECOND);
        await sweep(store);
        const kept = await held();
        expect(
          kinds.filter((kind) => kept[kind] === undefined),
          `${what}, before`,
        ).toEqual([]);
        setNow(T0 + after);
        await sweep(store);
        const left = await held();
        expect(
          kinds.filter((kind) => left[kind] !== undefined),
          `${what}, after`,
        ).toEqual([]);
      }
      expect(before["snapshot"]).toBeGreaterThan(0);
      setNow(T0 + 400 * DAY);
      await sweep(store);
      expect(await held()).toEqual(STAYS);
    });

    it("SESS-37 any number of processes sweep at once, and nothing goes that must stay", async () => {
      const { store, setNow, held } = under;
      await someOfEverything(store);
      setNow(T0 + 2 * HOUR);
      await Promise.all([sweep(store), sweep(store), sweep(store)]);
      const alone = await held();
      await sweep(store);
      expect(await held()).toEqual(alone);
      expect(alone).toMatchObject({ logical: 1, slots: 1, waiting: 1, rejection: 1, waves: 1 });
    });
  });
}
