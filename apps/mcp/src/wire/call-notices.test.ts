import { LOCAL, type OperationNote } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { fakeEngine } from "../testing/fake-engine.ts";
import { callNotices, type Notify, openChannels } from "./call-notices.ts";

const NOTE: OperationNote = {
  scope: "anonymous",
  principal: "me",
  holder: "l0",
  ref: "s0",
  line: "s0_o1 + pc0 review",
  n: 1,
  c: "pc0",
};

function setUp(standing: boolean, progressToken?: string, channels = openChannels()) {
  const sent: unknown[] = [];
  let heard: ((note: OperationNote) => void) | null = null;
  const { engine } = fakeEngine();
  const listening = {
    ...engine,
    onOperation: (_: unknown, listener: (note: OperationNote) => void) => {
      heard = listener;
      return async () => void (heard = null);
    },
  };
  const notify: Notify = async (notification) => void sent.push(notification);
  const channel = standing ? null : channels.open("c1", "call");
  const source = { engine: listening, caller: LOCAL, channel, session: "s0", progressToken };
  const notices = callNotices(source, notify);
  return { sent, notices, tell: (note: OperationNote) => heard?.(note) };
}

describe("what a call says before its answer", () => {
  it("OPS-23 L41 events of the caller's operations, until it has ended", async () => {
    const { sent, notices, tell } = setUp(false);
    tell(NOTE);
    tell({ ...NOTE, line: "s0_o1 ! 3 rows", n: 2, c: undefined } as unknown as OperationNote);
    await notices.end();
    tell(NOTE);
    expect(sent).toEqual([
      { method: "notifications/plasm/op", params: { line: NOTE.line, n: 1, c: "pc0" } },
      { method: "notifications/plasm/op", params: { line: "s0_o1 ! 3 rows", n: 2 } },
    ]);
  });

  it("nothing of operations where the connection has a channel of its own", async () => {
    const { sent, notices, tell } = setUp(true);
    tell(NOTE);
    await notices.end();
    expect(sent).toEqual([]);
  });

  it("OPS-23 nothing of them where the connection has a standing stream, or an earlier call", async () => {
    const channels = openChannels();
    const [first, second] = [setUp(false, undefined, channels), setUp(false, undefined, channels)];
    const told = () => [first.sent.length, second.sent.length];
    const tell = (): void => {
      for (const { tell: one } of [first, second]) one(NOTE);
    };
    tell();
    expect(told()).toEqual([1, 0]);
    const standing = channels.open("c1", "standing");
    tell();
    expect(told()).toEqual([1, 0]);
    expect(standing.isChosen()).toBe(true);
    standing.close();
    expect(channels.open("c2", "call").isChosen()).toBe(true);
    tell();
    expect(told()).toEqual([2, 0]);
  });

  it("OPS-25 each rise of the step, for a token", async () => {
    const { sent, notices } = setUp(true, "t1");
    for (const k of [1, 1, 2, 1]) notices.onProgress?.({ k, of: 2, line: `step ${k}/2` });
    await notices.end();
    const method = "notifications/progress";
    expect(sent).toEqual([
      { method, params: { progressToken: "t1", progress: 1, total: 2, message: "step 1/2" } },
      { method, params: { progressToken: "t1", progress: 2, total: 2, message: "step 2/2" } },
    ]);
    expect(setUp(true).notices.onProgress).toBeUndefined();
  });
});
