import type { Policy } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { boatsApi } from "../../test/boats-api.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import { LOCAL } from "../identity/caller.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { approvalsIn } from "../program/gate/approvals.ts";
import type { Notice } from "../records/notices.ts";
import { noteNotice, NoticeSender, type NoticeTarget } from "./outbox.ts";

const SCOPE = LOCAL.scope;
const OPERATOR = { scope: SCOPE, subject: "olga" };
type Warn = (what: string, cause: unknown) => void;
const POLICY: Policy = { apis: { quay: { approval: { operator: ["delete"] } } } };

let store: MemoryStore;
beforeEach(() => {
  store = testStore();
});
const senders: NoticeSender[] = [];
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
});

const waiting = async () =>
  (await store.list("notice", SCOPE, "")).map(({ value }) => [value.target, value.notice.type]);

/** A target that keeps what it gets, or fails as it is told. */
function target(name: string, fails: () => boolean = () => false) {
  const got: Notice[] = [];
  const send: NoticeTarget["send"] = async (notice) => {
    got.push(notice);
    if (fails()) throw new Error("not now");
  };
  return { name, send, got };
}

function senderOf(targets: readonly NoticeTarget[], warn = vi.fn<Warn>()): NoticeSender {
  const sender = new NoticeSender({ store, targets, everyMs: 5, warn });
  senders.push(sender);
  sender.start();
  return sender;
}

const note = (targets: readonly string[]) =>
  noteNotice(store, targets, { type: "run.uncertain", tenant: SCOPE });

describe("OPS-49 what is told", () => {
  it("a plan that waits, and the decision on it, without what the agent wrote", async () => {
    const nobody = { name: "hook", send: async () => Promise.reject(new Error("away")) };
    const policies = { policyOf: () => POLICY };
    const engine = engineOn({ store, api: boatsApi(3), policies, notices: [nobody] });
    const agent = await agentOn(engine, "boats and a secret intent");
    await agent.run('Boat("b1").delete()');
    const approvals = approvalsIn(store, ["hook"]);
    const [plan] = await approvals.list(OPERATOR);
    const uuid = plan?.["commit_uuid"] as string;
    await approvals.decide(OPERATOR, uuid, "rejected", { reason: "a secret reason" });
    await engine.close();
    const notices = (await store.list("notice", SCOPE, "")).map(({ value }) => value.notice);
    const about = { tenant: SCOPE, subject: "local", commit_uuid: uuid, effects: 1 };
    expect(notices).toMatchObject([
      { ...about, type: "approval.requested", capabilities: ["quay.boat_delete"] },
      { ...about, type: "approval.decided", verdict: "rejected", decided_by: "olga" },
    ]);
    expect(JSON.stringify(notices)).not.toMatch(/secret|Boat/);
  });

  it("nothing is kept where nobody is to be told", async () => {
    await note([]);
    expect(await waiting()).toEqual([]);
  });

  it("what is undone with its transaction is told to nobody", async () => {
    const undone = store.transaction(async (tx) => {
      await noteNotice(tx, ["hook"], { type: "run.uncertain", tenant: SCOPE });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await waiting()).toEqual([]);
  });
});

describe("OPS-50 each target is told at least once, with one id", () => {
  it("one that fails is tried again later, and holds up no other", async () => {
    let isDown = true;
    const [hook, mail] = [target("hook", () => isDown), target("email")];
    const warn = vi.fn<Warn>();
    await note(["hook", "email"]);
    senderOf([hook, mail], warn);
    await vi.waitFor(() => expect([hook.got.length, mail.got.length]).toEqual([1, 1]));
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
    expect(await waiting()).toEqual([["hook", "run.uncertain"]]);
    isDown = false;
    store.advance(2_001);
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    expect(new Set([...hook.got, ...mail.got].map(({ id }) => id)).size).toBe(1);
    expect([hook.got.length, mail.got.length]).toEqual([2, 1]);
  });

  it("of two processes one sends; where it dies, the other does when its claim is over", async () => {
    const dead: NoticeTarget = { name: "hook", send: () => new Promise(() => undefined) };
    const first = senderOf([dead]);
    await note(["hook"]);
    await vi.waitFor(async () => {
      expect((await store.list("notice", SCOPE, ""))[0]?.value.attempts).toBe(1);
    });
    void first.stop();
    const hook = target("hook");
    senderOf([hook]);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(hook.got).toEqual([]);
    store.advance(15_001);
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    expect(hook.got).toHaveLength(1);
  });

  it("many at once are each sent once by two processes", async () => {
    const [one, other] = [target("hook"), target("hook")];
    for (let n = 0; n < 60; n += 1) await note(["hook"]);
    senderOf([one]);
    senderOf([other]);
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), 10_000);
    const ids = [...one.got, ...other.got].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  });

  it("a target that hangs holds up no other, however much waits for it", async () => {
    let begun = 0;
    const hanging: NoticeTarget = {
      name: "hook",
      send: () => new Promise(() => void (begun += 1)),
    };
    const mail = target("email");
    for (let n = 0; n < 350; n += 1) await note(["hook"]);
    senderOf([hanging, mail]);
    await vi.waitFor(() => expect(begun).toBe(4));
    await note(["email"]);
    store.advance(2_001);
    await vi.waitFor(() => expect(mail.got).toHaveLength(1));
    expect(await waiting()).toHaveLength(350);
  });

  it("a target that is slow and works gets the next ones soon after it has taken some", async () => {
    const open: (() => void)[] = [];
    const slow: NoticeTarget = {
      name: "hook",
      send: () => new Promise((resolve) => void open.push(resolve)),
    };
    for (let n = 0; n < 12; n += 1) await note(["hook"]);
    senderOf([slow]);
    for (let round = 1; round <= 3; round += 1) {
      await vi.waitFor(() => expect(open).toHaveLength(4 * round));
      store.advance(3_000);
      // Until those under way have had what waits put behind others.
      await vi.waitFor(async () =>
        expect(await store.aged("notice", store.now(), 100)).toEqual([]),
      );
      for (const done of open.slice(-4)) done();
      store.advance(2_001);
    }
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
  });

  it("what another process has claimed meanwhile is not put behind others in its place", async () => {
    const hanging: NoticeTarget = { name: "hook", send: () => new Promise(() => undefined) };
    for (let n = 0; n < 4; n += 1) await note(["hook"]);
    senderOf([hanging]);
    const due = () => aged("notice", store.now(), 100);
    const aged = store.aged.bind(store);
    await vi.waitFor(async () => expect(await due()).toEqual([]));
    store.advance(3_000);
    let claimed = 0;
    const read = vi.spyOn(store, "aged").mockImplementation(async (...asked) => {
      const found = await aged(...asked);
      // The other process is quicker, each time.
      for (const { scope, id, version, value } of found as Awaited<ReturnType<typeof due>>) {
        claimed += 1;
        await store.cas("notice", scope, id, version, { ...value, attempts: 1 });
        await store.ageFrom("notice", scope, id, store.now() + 15_000);
      }
      return found;
    });
    await note(["hook"]);
    await vi.waitFor(() => expect(claimed).toBe(1));
    const looks = read.mock.calls.length;
    await vi.waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(looks + 1));
    store.advance(10_000);
    expect(await due()).toEqual([]);
  });

  it("is given up after a day, with a line that says so", async () => {
    const warn = vi.fn<Warn>();
    await note(["hook"]);
    store.advance(24 * 3_600_000 + 1);
    const hook = target("hook");
    senderOf([hook], warn);
    await vi.waitFor(async () => expect(await waiting()).toEqual([]));
    expect(hook.got).toEqual([]);
    expect(warn.mock.calls[0]?.[0]).toContain("could not be told to hook");
  });

  it("what is for a target of another process stays for that", async () => {
    const mail = target("email");
    await note(["hook", "email"]);
    senderOf([mail]);
    await vi.waitFor(() => expect(mail.got).toHaveLength(1));
    await vi.waitFor(async () => expect(await waiting()).toEqual([["hook", "run.uncertain"]]));
  });
});
