import type { Store } from "@plasm/agent-core";
import {
  auditIn,
  type AuditLine,
  type AuditQuery,
  FIRST_PREV,
  keepWithin,
  lineFault,
  linkAudit,
  noteAudit,
  sweep,
} from "@plasm/agent-core/internal";
import type { StoreUnderTest } from "@plasm/agent-core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const T0 = 1_800_000_000_000;
const DAY = 24 * 3_600_000;

const ALL: AuditQuery = {
  since: null,
  until: null,
  kind: null,
  subject: null,
  entryId: null,
  after: null,
  limit: 1_000,
  order: "asc",
};

/** Every line that a query finds, page by page. */
async function linesOf(
  store: Store,
  query: Partial<AuditQuery> = {},
  tenant = "acme",
): Promise<readonly AuditLine[]> {
  const lines: AuditLine[] = [];
  for (let after: number | null = null; ;) {
    const page = await auditIn(store).page(tenant, { ...ALL, ...query, after });
    lines.push(...page.lines);
    if (page.next === null) return lines;
    after = page.next;
  }
}

/** The first line that does not fit behind the one before it. */
function faultIn(lines: readonly AuditLine[], prev = FIRST_PREV): string | null {
  let before = { n: (lines[0]?.n ?? 1) - 1, hash: prev };
  for (const line of lines) {
    const fault = lineFault(line, before);
    if (fault !== null) return `${line.n}: ${fault}`;
    before = line;
  }
  return null;
}

const note = (store: Store, subject: string, tenant = "acme", entryId = "quay") =>
  store.transaction((tx) =>
    noteAudit(tx, tenant, { kind: "effect_ended", subject, entry_id: entryId, outcome: "done" }),
  );

/** What the audit log must be on every store (OPS-41 to OPS-43). */
export function auditContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`audit contract: ${name}`, () => {
    let under: StoreUnderTest;
    beforeEach(async () => {
      under = await open();
      under.setNow(T0);
    });
    afterEach(() => under.dispose());
    chains(() => under);
    pagesOfLines(() => under);
    whatGoes(() => under);
  });
}

/** The store of one test. */
type Under = () => StoreUnderTest;

function chains(under: Under): void {
  it("OPS-41 several processes append to one chain at once: no fork, no gap, nothing twice", async () => {
    const { store } = under();
    const replicas = [store, await under().reopen(), await under().reopen()];
    await Promise.all(
      replicas.map(async (one, at) => {
        for (let n = 0; n < 30; n += 1) {
          await note(one, `r${at}-${n}`);
          if (n % 5 === at) await linkAudit(one, "acme");
        }
      }),
    );
    const lines = await linesOf(store);
    expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 90 }, (_, at) => at + 1));
    expect(new Set(lines.map(({ subject }) => subject)).size).toBe(90);
    expect(faultIn(lines)).toBeNull();
    const { head } = await auditIn(store).page("acme", ALL);
    expect(head).toEqual({ n: 90, hash: lines.at(-1)?.hash });
    expect(await linesOf(store, {}, "other")).toEqual([]);
  });

  it("OPS-41 what was changed, left out or put in is found at its line", async () => {
    const { store } = under();
    for (const subject of ["ann", "bob", "cid"]) await note(store, subject);
    const lines = await linesOf(store);
    const [first, second, third] = lines as [AuditLine, AuditLine, AuditLine];
    const forged = { ...second, subject: "eve" };
    expect(faultIn([first, forged, third])).toBe("2: its hash is not that of its content");
    expect(faultIn([first, third])).toBe("3: it is line 3 and stands behind line 1");
    expect(faultIn([second, third])).toBe("2: its prev is not the hash of line 1");
    expect(faultIn([first, second, second])).toBe("2: it is line 2 and stands behind line 2");
    const unwritable = { ...second, detail: "\ud800" };
    expect(faultIn([first, unwritable])).toBe("2: its hash is not that of its content");
    expect(faultIn([{ ...first, secret: "x" } as AuditLine])).toMatch(/^1: its hash/);
  });
}

function pagesOfLines(under: Under): void {
  it("OPS-42 pages by time, kind, subject and catalog, from either end", async () => {
    const { store, setNow } = under();
    for (let n = 0; n < 20; n += 1) {
      setNow(T0 + n * 1_000);
      await note(store, n % 2 === 0 ? "ann" : "bob", "acme", n % 5 === 0 ? "yard" : "quay");
      await linkAudit(store, "acme");
    }
    const found = async (query: Partial<AuditQuery>) =>
      (await linesOf(store, { limit: 3, ...query })).map(({ n }) => n);
    expect(await found({ order: "desc", limit: 7 })).toEqual(
      Array.from({ length: 20 }, (_, at) => 20 - at),
    );
    const [since, until] = [T0 + 4_000, T0 + 8_000];
    expect(await found({ since, until })).toEqual([5, 6, 7, 8]);
    expect(await found({ since, until, order: "desc", subject: "bob" })).toEqual([8, 6]);
    expect(await found({ entryId: "yard" })).toEqual([1, 6, 11, 16]);
    expect(await found({ kind: "refused" })).toEqual([]);
    expect(await found({ since: T0 + 60_000 })).toEqual([]);
    expect(await found({ until: T0 })).toEqual([]);
  });

  it("OPS-41 a clock that is set back turns no order round: lines stay in the order of their times", async () => {
    const { store, setNow } = under();
    await note(store, "ann");
    await linkAudit(store, "acme");
    setNow(T0 - DAY);
    await note(store, "bob");
    const [first, second] = await linesOf(store);
    expect(second?.at).toBe(first?.at);
    expect(second?.happened_at).toBe(new Date(T0 - DAY).toISOString());
  });
}

function whatGoes(under: Under): void {
  it("OPS-43 the oldest lines go by their age, and the rest says where it begins", async () => {
    const { store, setNow } = under();
    for (let n = 0; n < 250; n += 1) await note(store, `old ${n}`);
    await linkAudit(store, "acme");
    setNow(T0 + 100 * DAY);
    for (const subject of ["ann", "bob"]) await note(store, subject);
    await linkAudit(store, "acme");
    setNow(T0 + 365 * DAY - 1);
    await sweep(store);
    expect(await linesOf(store)).toHaveLength(252);
    setNow(T0 + 365 * DAY + 1);
    await sweep(store);
    const lines = await linesOf(store);
    expect(lines.map(({ n, subject }) => [n, subject])).toEqual([
      [251, "ann"],
      [252, "bob"],
    ]);
    const { first, head } = await auditIn(store).page("acme", ALL);
    expect([first.n, head.n]).toEqual([251, 252]);
    expect(faultIn(lines, first.prev)).toBeNull();
    setNow(T0 + 800 * DAY);
    await sweep(store);
    expect(await linesOf(store)).toEqual([]);
    await note(store, "cid");
    const [next] = await linesOf(store);
    expect([next?.n, next?.prev]).toEqual([253, head.hash]);
  });

  it("OPS-43 over the store's limit they go last of all, from their beginning, and never silently", async () => {
    const { store } = under();
    for (let n = 0; n < 400; n += 1) await note(store, `someone ${n}`);
    await linkAudit(store, "acme");
    const used = (await store.size?.())?.used ?? 0;
    const kept = await keepWithin(store, used * 0.9);
    const dropped = kept?.dropped["auditLine"] ?? 0;
    expect(Object.keys(kept?.dropped ?? {})).toEqual(["auditLine"]);
    const lines = await linesOf(store);
    const { first } = await auditIn(store).page("acme", ALL);
    expect(lines).toHaveLength(400 - dropped);
    expect(dropped).toBeGreaterThan(0);
    expect([first.n, faultIn(lines, first.prev)]).toEqual([dropped + 1, null]);
  });
}
