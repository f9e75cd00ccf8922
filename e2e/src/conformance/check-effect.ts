import { isDeepStrictEqual } from "node:util";
import type { RecordedRequest } from "@plasm/sample-apis";
import { expect } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import type { Session } from "./check-case.ts";
import type { Effecting, Write } from "./effect-row.ts";

const pathOf = ({ api, path }: RecordedRequest): string => (api === "yard" ? `yard:${path}` : path);
const isRead = ({ method }: RecordedRequest): boolean => method === "GET";

function checkSent(sent: readonly RecordedRequest[], writes: readonly Write[], one: Effecting) {
  const changing = sent.filter((request) => !isRead(request));
  expect(changing.map(({ method }) => method)).toEqual(writes.map(([method]) => method));
  expect(changing.map(pathOf)).toEqual(writes.map(([, path]) => path));
  expect(changing.map(({ body }) => body)).toEqual(writes.map(([, , body]) => body));
  const read = sent.filter(isRead).map(pathOf);
  expect(read).toEqual(one.reads ?? read);
}

/** Plans, is held back if it has an effect (PLAN-054), runs once under the plan's ref, and is answered again: the writes are sent once. */
export async function checkEffect(session: Session, one: Effecting): Promise<string> {
  const { agent, ref, apis, data } = session;
  await apis.reset();
  const { meta } = await agent.plan(ref, one.program);
  one.planned?.(meta.plan, meta);
  const { commit } = meta.plan;
  const same = await agent.plan(ref, one.sameAs ?? one.program);
  expect(same.meta.plan.commit).toBe(commit);
  const onlyReads = isDeepStrictEqual(meta.plan.bill["effects"], { exact: 0 });
  expect(meta.dry_verdict).toBe(onlyReads ? "ok" : "review");
  if (!onlyReads) {
    const blocked = await failureOf(agent.run(ref, one.program));
    expect(blocked.problem.code).toBe("plasm-review-required");
  }
  expect(apis.requests, "nothing is sent before the review").toEqual([]);

  const run = () =>
    agent.run(ref, one.program, { plan_commit_ref: meta.plan_commit_ref, wait: true });
  const writes = one.writes(data);
  if (one.fails !== undefined) {
    const { problem, message } = await failureOf(run());
    expect(problem.errors.map(({ code }) => code)).toEqual([one.fails.code]);
    for (const word of one.fails.says ?? []) expect(message).toContain(word);
    checkSent([...apis.requests], writes, one);
    return commit;
  }
  const { results, meta: ran } = await run();
  expect(ran.commit).toBe(commit);
  checkSent([...apis.requests], writes, one);
  const rows = results.map((result) => result.rows);
  const expected = one.results?.(data) ?? rows;
  expect(rows).toHaveLength(expected.length);
  expect(rows).toMatchObject(expected);
  if (writes.length === 0) return commit;
  apis.forgetRequests();
  expect((await run()).results).toEqual(results);
  expect(apis.requests, "a repeated call sends nothing").toEqual([]);
  return commit;
}
