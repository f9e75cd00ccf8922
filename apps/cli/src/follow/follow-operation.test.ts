import { describe, expect, it } from "vitest";
import { EXIT, failedError } from "../cli-error.ts";
import { ServerProblemError } from "../server/problem-error.ts";
import type { ServerClient } from "../server/server-client.ts";
import { readEvents, type ReceivedEvent } from "./event-stream.ts";
import { followOperation } from "./follow-operation.ts";

const broken = () => failedError("The connection broke");
const problem = (status: number) => new ServerProblemError("the text", EXIT.failed, status);

/** What one connection brings: its texts and how it ends, or why there is none. */
type Connection = readonly (string | Error)[] | Error | null;

const message = (event: string, id: number, line: string): string =>
  `event: ${event}\nid: ${id}\ndata: ${line}\n\n`;

const view = (n: number, signal: string): string =>
  JSON.stringify({ line: `s0_o1 ${signal}`, op: { n, "~": signal } });

/** A server of these connections and answers, and what was asked of it. */
function serverOf(connections: readonly Connection[], answers: readonly (string | Error)[] = []) {
  const asked: string[] = [];
  const [streams, polls] = [[...connections], [...answers]];
  const client: ServerClient = {
    url: "http://127.0.0.1",
    delete: () => Promise.reject(new Error("nothing is deleted")),
    post: () => Promise.reject(new Error("nothing is posted")),
    get: async (path) => {
      asked.push(`GET ${path}`);
      const answer = polls.shift() ?? broken();
      if (typeof answer !== "string") throw answer;
      return { text: answer, headers: new Headers() };
    },
    events: async (path, after) => {
      asked.push(`GET ${path} after ${after}`);
      const next = streams.shift();
      if (next === null) return null;
      if (next === undefined || next instanceof Error) throw next ?? broken();
      return (async function* texts() {
        for (const one of next) {
          if (typeof one !== "string") throw one;
          // A text without end stands for a connection that brings nothing more.
          if (one === "silence") await new Promise(() => undefined);
          yield one;
        }
      })();
    },
  };
  return { client, asked };
}

/** Follows with a clock that only the long silence of a stream moves. */
async function followed(client: ServerClient, silent = false) {
  const pauses: number[] = [];
  const pause = (ms: number): Promise<void> => {
    if (ms > 10_000) return silent ? Promise.resolve() : new Promise(() => undefined);
    pauses.push(ms);
    return Promise.resolve();
  };
  const signal = new AbortController().signal;
  const lines: string[] = [];
  let thrown: unknown = null;
  try {
    for await (const { line } of followOperation({ client, path: "/op", signal, pause })) {
      lines.push(line);
    }
  } catch (error) {
    thrown = error;
  }
  return { lines, pauses, thrown };
}

describe("following an operation (OPS-22)", () => {
  it("takes the stream up again after the last event", async () => {
    const { client, asked } = serverOf([
      [message("snapshot", 1, "a"), message("progress", 7, "b"), broken()],
      broken(),
      [],
      [":\n\n", message("terminal", 8, "c"), message("terminal", 9, "never")],
    ]);
    expect(await followed(client)).toEqual({
      lines: ["a", "b", "c"],
      pauses: [1_000, 1_000, 1_000],
      thrown: null,
    });
    const stream = "GET /op/stream after";
    expect(asked).toEqual([`${stream} null`, `${stream} 7`, `${stream} 7`, `${stream} 7`]);
  });

  it.each<[string, readonly Connection[], number]>([
    ["is no stream", [null], 0],
    ["are streams that bring nothing", [[], broken(), problem(503)], 2],
  ])("polls where there %s", async (_, connections, retries) => {
    const answers = [view(3, "~"), view(3, "="), broken(), view(4, "~"), view(5, "!")];
    const { client, asked } = serverOf(connections, answers);
    const { lines, pauses, thrown } = await followed(client);
    expect([lines, thrown]).toEqual([["s0_o1 ~", "s0_o1 ~", "s0_o1 !"], null]);
    expect(pauses).toEqual([...Array<number>(retries).fill(1_000), ...Array(4).fill(3_000)]);
    expect(asked.filter((one) => one === "GET /op")).toHaveLength(5);
  });

  it.each(["!", "x", "?"])("a poll that answers %s is the end", async (end) => {
    const { client } = serverOf([null], [view(1, end)]);
    expect(await followed(client)).toMatchObject({ lines: [`s0_o1 ${end}`], thrown: null });
  });

  it("a stream on which nothing comes, not even a comment, is given up", async () => {
    const silence = ["silence"];
    const { client } = serverOf([silence, silence, silence], [view(2, "!")]);
    expect(await followed(client, true)).toMatchObject({ lines: ["s0_o1 !"], thrown: null });
  });

  it.each([404, 401, 409])("a problem of status %i is final", async (status) => {
    const { client, asked } = serverOf([problem(status)]);
    const { thrown } = await followed(client);
    expect([thrown, asked.length]).toEqual([expect.any(ServerProblemError), 1]);
  });

  it("a server that has been gone for a minute is: the error of the connection", async () => {
    const { client, asked } = serverOf([]);
    const { thrown, pauses } = await followed(client);
    expect(thrown).toMatchObject({ message: "The connection broke" });
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(59_000);
    expect(asked).toHaveLength(23);
  });
});

async function* cutAt(text: string, ...places: readonly number[]): AsyncGenerator<string> {
  let before = 0;
  for (const place of [...places, text.length]) {
    yield text.slice(before, place);
    before = place;
  }
}

async function read(text: string, ...places: readonly number[]) {
  const events: ReceivedEvent[] = [];
  for await (const event of readEvents(cutAt(text, ...places))) events.push(event);
  return events;
}

const STREAM =
  "event: snapshot\nid: 1\ndata: s0_o1 + pc0 review\n\n" +
  ":\n\n" +
  "event: terminal\r\nid: 8\r\ndata: s0_o1 ! 120 rows\r\n\r\n";

const EVENTS = [
  { event: "snapshot", id: "1", data: "s0_o1 + pc0 review" },
  null,
  { event: "terminal", id: "8", data: "s0_o1 ! 120 rows" },
];

describe("server-sent events (OPS-22)", () => {
  it("are read wherever the text is cut", async () => {
    for (let first = 0; first < STREAM.length; first += 1) {
      expect(await read(STREAM, first)).toEqual(EVENTS);
      expect(await read(STREAM, first, first + 1)).toEqual(EVENTS);
    }
  });

  it.each([
    ["data:a\ndata: b\n\n", [{ event: "message", id: null, data: "a\nb" }]],
    ["event: x\n\n", [null]],
    ["data\n\n", [{ event: "message", id: null, data: "" }]],
    ["data: a: b\n\n", [{ event: "message", id: null, data: "a: b" }]],
    ["data: not whole\n", []],
    ["", []],
  ])("%j", async (text, events) => expect(await read(text)).toEqual(events));

  it("18.14 are read in proportion to their length, in however many pieces they come", async () => {
    const cpuOf = async (length: number) => {
      const text = `data: ${"x".repeat(length)}\n\n`;
      const cuts = Array.from({ length: Math.floor(length / 100) }, (_, at) => 100 * (at + 1));
      const before = process.cpuUsage();
      expect(await read(text, ...cuts)).toHaveLength(1);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    // What else the machine does only adds to a try, so the least of some counts, of both in turn.
    let [few, many] = [Infinity, Infinity];
    for (let tries = 0; tries < 2 || (tries < 16 && many >= 9 * few + 20); tries++) {
      few = Math.min(few, await cpuOf(100_000));
      many = Math.min(many, await cpuOf(400_000));
    }
    // Each piece looked at all before it: sixteen times as much.
    expect(many).toBeLessThan(9 * few + 20);
  });
});
