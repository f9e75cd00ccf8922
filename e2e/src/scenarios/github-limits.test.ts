import { beforeEach, describe, expect, test } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import { primaryLimit, type RequestHook, secondaryLimit } from "@plasm/sample-apis/github";
import { openGitHub, useGitHubWorld } from "./use-github-world.ts";

const running = useGitHubWorld();
beforeEach(() => running().github.reset());

const QUAY = 'owner="harbour", repo="quay"';

/** Refuses one request: the `nth` of those that `of` names, from 1. */
function refuseOnce(of: (request: string) => boolean, nth: number, answer: () => Response): void {
  let seen = 0;
  const hook: RequestHook = ({ method, path, query }) => {
    if (!of(`${method} ${path}${query}`)) return undefined;
    seen += 1;
    return seen === nth ? answer() : undefined;
  };
  running().github.intercept(hook);
}

const statuses = (): readonly string[] =>
  running().github.requests.map(({ method, path, status }) => {
    return `${method} ${path.replace("/repos/harbour/quay/", "")} ${status}`;
  });

const bodiesOf = (text: string): number =>
  running()
    .repository("harbour/quay")
    .comments.filter(({ body }) => body === text).length;

describe.each(["MCP 2026 over HTTP", "HTTP"] as const)(
  "%s, on a GitHub that slows down",
  (surface) => {
    async function open(intent: string) {
      const agent = await running().world.agent(surface);
      return openGitHub(running(), agent, `${surface}: ${intent}`, ["Issue", "Comment"]);
    }

    test("RUN-025 a secondary limit in the middle of a read is waited for", async () => {
      const { read } = await open("count all");
      refuseOnce(
        (request) => request.includes("page=2"),
        1,
        () => secondaryLimit(1),
      );
      const started = Date.now();
      const run = await read(`Issue{${QUAY}}.aggregate(n=count)`);
      expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
      const { issues } = running().repository("harbour/quay");
      expect(run.results[0]?.rows).toEqual([{ n: issues.length }]);
      expect(statuses()).toEqual([
        "GET issues 200",
        "GET issues 403",
        "GET issues 200",
        "GET issues 200",
      ]);
    });

    test("RUN-025 the primary limit is waited for until its reset", async () => {
      const { read } = await open("wait for the reset");
      const reset = Math.ceil(Date.now() / 1000) + 1;
      refuseOnce(
        () => true,
        1,
        () => primaryLimit(reset),
      );
      const run = await read(`Issue(${QUAY}, number=1)[title]`);
      expect(run.results[0]?.rows).toHaveLength(1);
      expect(Date.now()).toBeGreaterThanOrEqual(reset * 1000);
      expect(statuses()).toEqual(["GET issues/1 403", "GET issues/1 200"]);
    });

    test("RUN-150 a limit that lasts too long is told, with the time", async () => {
      const { read } = await open("an hour is too long");
      refuseOnce(
        () => true,
        1,
        () => secondaryLimit(3600),
      );
      const failure = await failureOf(read(`Issue(${QUAY}, number=1)[title]`));
      expect(failure.problem.errors).toMatchObject([{ code: "rate_limited" }]);
      expect(failure.message).toContain("secondary rate limit");
      expect(statuses()).toEqual(["GET issues/1 403"]);
    });

    test("RUN-025 G2 a comment that met a limit is not sent again, nor is any that was made", async () => {
      const { change, read } = await open("three comments");
      const body = `Checked by ${surface}.`;
      const program = `few = Issue{${QUAY}, state=open}.sort(number).limit(3)\nfew => Issue(_).comment(body="${body}")`;
      refuseOnce(
        (request) => request.startsWith("POST "),
        2,
        () => secondaryLimit(1),
      );
      const failure = await failureOf(change(program));
      expect(failure.problem.errors).toMatchObject([{ code: "rate_limited" }]);
      expect(statuses().filter((line) => line.startsWith("POST "))).toEqual([
        "POST issues/1/comments 201",
        "POST issues/2/comments 403",
      ]);
      expect(bodiesOf(body)).toBe(1);
      const states = failure.message
        .split("\n")
        .flatMap((line) => /^(done|failed|not started) (?!at )/.exec(line)?.[1] ?? []);
      expect(states).toEqual(["done", "failed", "not started"]);
      const made = await read(`Comment{${QUAY}, number=1}[author, body]`);
      expect(made.results[0]?.rows).toEqual([{ author: "ann", body }]);
    });

    test("RUN-025 a lock, which is a PUT, is sent again after the wait and locks once", async () => {
      const { change } = await open("lock two");
      refuseOnce(
        (request) => request.startsWith("PUT "),
        2,
        () => secondaryLimit(1),
      );
      await change(
        `Issue(${QUAY}, number=1).lock(lock_reason=resolved)\nIssue(${QUAY}, number=2).lock()`,
      );
      expect(statuses()).toEqual([
        "PUT issues/1/lock 204",
        "PUT issues/2/lock 403",
        "PUT issues/2/lock 204",
      ]);
      expect([1, 2].map((number) => running().issue(number).locked)).toEqual([true, true]);
    });
  },
);
