import type { RecordedRequest } from "@plasm/sample-apis";
import { expect } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { allPages } from "../harness/all-pages.ts";
import type { AgentRun } from "../harness/answers.ts";
import type { LiveFacts } from "./conformance-row.ts";

const wireText = ({ api, path }: RecordedRequest): string =>
  api === "yard" ? `yard:${path}` : path;

function matches(request: RecordedRequest, expected: string): boolean {
  const [path, query = ""] = expected.split("?");
  const asked = [...new URLSearchParams(query)];
  return (
    wireText(request) === path && asked.every(([name, value]) => request.query[name] === value)
  );
}

/** Every expected request was sent, and nothing else. */
export function checkRequests(sent: readonly RecordedRequest[], expected: readonly string[]): void {
  const left = [...sent];
  for (const one of expected) {
    const at = left.findIndex((request) => matches(request, one));
    expect(at, `${one} was not sent; sent: ${sent.map(wireText).join(", ")}`).not.toBe(-1);
    left.splice(at, 1);
  }
  expect(left.map(wireText), "requests too many").toEqual([]);
}

function checkRows(rows: readonly object[], expected: readonly object[]): void {
  expect(rows).toHaveLength(expected.length);
  expect(rows).toMatchObject(expected);
}

/** Holds a live run against what it must answer and send; follows its pages where all rows are asked for. */
export async function checkLive(
  agent: AgentClient,
  ref: string,
  run: AgentRun,
  sent: readonly RecordedRequest[],
  facts: LiveFacts,
): Promise<void> {
  const { results, columns, whole, handle, requests, unsent = [], partial } = facts;
  if (partial !== undefined) {
    expect(run.meta.steps[0]?.partial).toBe(partial);
    expect(run.text.split("\n")[0]).toContain(`partial (${partial})`);
  }
  if (requests !== undefined) checkRequests(sent, requests);
  for (const name of unsent) {
    expect(sent.filter(({ query }) => name in query).map(wireText), `${name} sent`).toEqual([]);
  }
  if (results !== undefined) {
    expect(run.results).toHaveLength(results.length);
    for (const [index, rows] of results.entries()) checkRows(run.results[index]?.rows ?? [], rows);
  }
  if (columns !== undefined) expect(run.results[0]?.columns).toEqual(columns);
  if (handle !== undefined) expect(run.meta.paging.length > 0, "page handle").toBe(handle);
  if (whole !== undefined) checkRows(await allPages(agent, ref, run), whole);
}
