import { homedir } from "node:os";
import type { Problem } from "@plasm/agent-core";
import { runCodes } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { type Failed, failExample } from "./failing/fail-example.ts";
import type { RunErrorExample } from "./failing/run-error-example.ts";
import { RUN_ERRORS, WITHOUT_CAUSE } from "./failing/run-errors.ts";

const ROWS = Object.entries(RUN_ERRORS).flatMap(([code, examples]) =>
  examples.map((example) => ({ ...example, code })),
);

test("every code of a run has a run that ends in it, or no cause yet (ERR-001, ERR-011)", () => {
  const covered = Object.entries(RUN_ERRORS).filter(([, examples]) => examples.length > 0);
  expect([...covered.map(([code]) => code), ...WITHOUT_CAUSE].toSorted()).toEqual(
    [...runCodes].toSorted(),
  );
});

/** Node and code, status and API where a request was answered, in the text's first line (ERR-020). */
function firstLine(example: RunErrorExample & { readonly code: string }): string {
  const { node, code, request, on } = example;
  const status = typeof request?.[2] === "number" ? ` ${request[2]}` : "";
  const from = request === undefined ? "" : ` from ${on === "wharf" ? "wharf" : "quay"}`;
  return `failed at ${node}: ${code}${status}${from}`;
}

function checkText(example: RunErrorExample & { readonly code: string }, problem: Problem): void {
  const { code, at, effects, program } = example;
  const lines = problem.text.split("\n");
  const head = lines.findIndex((line) => line === `error ${code} at ${at}`);
  expect(lines[0]).toBe(firstLine(example));
  expect(lines[1]).toBe(effects ?? `error ${code} at ${at}`);
  expect(head).toBeGreaterThan(0);
  expect(lines[head + 1]).toBe(program.split("\n")[Number(at.split(":")[0]) - 1]);
  expect(lines[head + 2]).toMatch(/^ *\^+$/);
}

/** What no error holds: secrets, places of this machine, times, the inside of the engine (ERR-009). */
function checkSilence({ problem, dataDir }: Failed, { token, defect }: RunErrorExample): void {
  const all = JSON.stringify(problem);
  const secrets = ["tok-3141592653", token, defect?.message].filter((each) => each !== undefined);
  const places = [dataDir, process.cwd(), homedir(), "/srv/", "node_modules", ".ts:", ".js:"];
  for (const hidden of [...secrets, ...places]) expect(all).not.toContain(hidden);
  expect(problem.text + JSON.stringify(problem.errors)).not.toMatch(/\d\d:\d\d:\d\d/);
}

describe("code, node, place, words and class of a run's error (ERR section 4, ERR-030)", () => {
  test.each(ROWS)("$code: $why", async (example) => {
    const failed = await failExample(example);
    const { problem } = failed;
    const [error] = problem.errors;
    expect(error?.code, problem.text).toBe(example.code);
    expect(`${error?.span?.line}:${error?.span?.column}`).toBe(example.at);
    expect(example.program.slice(error?.span?.start, error?.span?.end)).toBe(example.marks);
    expect(example.node).toContain(error?.node);
    expect(error?.row ?? null).toBe(example.row ?? null);
    const said = `${error?.message}\n${error?.correction}`;
    for (const word of example.says) expect(said).toContain(word);
    for (const word of example.omits ?? []) expect(said).not.toContain(word);
    expect(error?.suggested_program).toBeNull();
    const { request = null } = error ?? {};
    const named = request && [request.method, request.pathTemplate, request.status];
    expect(named).toEqual(example.request ?? null);
    expect(error?.retryable).toBe(example.retryable);
    const { code, status, retryable, retryAfter } = problem;
    expect({ code, status, retryable, retryAfter }).toEqual({
      code: example.problem,
      status: example.status,
      retryable: example.retryable,
      retryAfter: example.retryAfter ?? null,
    });
    checkText(example, problem);
    checkSilence(failed, example);
  });
});
