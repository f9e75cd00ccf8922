import { problemDocument, type Problem } from "@plasm/agent-core";
import { visible } from "@plasm/core";

/** What a run did before it failed stands beside the error (ERR-031). */
const DONE = ["nodes", "effects"] as const;

function bodyOf(problem: Problem): object {
  const { meta } = problem;
  const done = DONE.flatMap((name) => {
    const value = meta[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const results = problem.results.length === 0 ? {} : { results: problem.results };
  const told = Object.keys(meta).length === 0 ? {} : { _meta: { plasm: meta } };
  return { ...problemDocument(problem), ...Object.fromEntries(done), ...results, ...told };
}

/** What every 401 says, which some clients need (RFC 9110). */
const CHALLENGE = 'Bearer realm="plasm"';

/** A problem as an HTTP response: `application/problem+json`, whatever was asked for (SURF-18). */
export function problemResponse(
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const challenge = problem.status === 401 ? { "www-authenticate": CHALLENGE } : {};
  const retry = problem.retryAfter === null ? {} : { "retry-after": String(problem.retryAfter) };
  return new Response(visible(JSON.stringify(bodyOf(problem))), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", ...challenge, ...retry, ...headers },
  });
}
