/**
 * Files of tests that take twenty seconds or more each. Where PLASM_TEST_TURN is a number, a quarter of them runs, so that
 * any four numbers in a row run all; without it all do. Each row of four takes about as long as the next.
 */
export const SLOW_TESTS = Object.freeze([
  "e2e/src/scenarios/hung-api.test.ts",
  "e2e/src/taught-rows/taught-rows.test.ts",
  "packages/core/src/plan/suite-corrections.test.ts",
  "e2e/src/scenarios/commits.test.ts",
  "e2e/src/kills/kills.test.ts",
  "e2e/src/kills/undo-kills.test.ts",
  "packages/runtime/src/run/many-rows.test.ts",
  "e2e/src/scenarios/rolling-restarts.test.ts",
  "e2e/src/scenarios/database-outage.test.ts",
  "e2e/src/oracle/oracle.test.ts",
  "packages/core/src/language/grammar/printer.test.ts",
  "packages/core/src/plan/growth.test.ts",
  "packages/core/src/teaching/table-sweep.test.ts",
  "packages/store/test/set-aside.test.ts",
  "e2e/src/replicas/alternate.test.ts",
  "e2e/src/scenarios/suspended.test.ts",
  "packages/runtime/src/run/loop-turns.test.ts",
  "apps/cli/src/commands/serve-stdio.test.ts",
  "e2e/src/scenarios/taken-over.test.ts",
  "packages/agent-core/src/program/run/computed-size.test.ts",
  "packages/runtime/src/run/wide-relations.test.ts",
  "bench/tasks/tasks.test.ts",
  "packages/core/src/language/parse-robust.test.ts",
  "packages/core/src/plan/compile.property.test.ts",
  "bench/src/sessions/sessions.test.ts",
  "packages/store/test/earlier-stores.test.ts",
  "packages/core/src/teaching/tables.property.test.ts",
  "packages/core/src/catalog/open/large-catalogs.test.ts",
  "e2e/src/scenarios/halfway.test.ts",
  "e2e/src/scenarios/notices.test.ts",
  "bench/src/start-pairs.test.ts",
  "e2e/src/gate/gate-cells.test.ts",
  "packages/store/src/postgres/outages.test.ts",
  "packages/agent-core/src/program/operation/crowded.test.ts",
  "bench/src/pairs.test.ts",
  "e2e/src/scenarios/ends-of-operations.test.ts",
  "e2e/src/scenarios/backup.test.ts",
  "e2e/src/scenarios/effects.test.ts",
  "apps/cli/src/sources/serve-api.test.ts",
  "e2e/src/scenarios/paging.test.ts",
  "apps/cli/src/commands/documented-walks.test.ts",
  "e2e/src/engine/performed-reported.test.ts",
  "e2e/src/gate/attempts.test.ts",
  "apps/cli/src/commands/catalog.test.ts",
  "bench/src/goals/goals.test.ts",
  "packages/runtime/src/request/auth/redactor.test.ts",
  "e2e/src/census/documents.test.ts",
  "apps/mcp/src/tools/growth.test.ts",
  "e2e/src/scenarios/secrets.test.ts",
  "apps/cli/src/one-file.test.ts",
  "e2e/src/scenarios/replicas-long-work.test.ts",
  "apps/cli/src/commands/eval.test.ts",
  "packages/store/test/schedule-kills.test.ts",
  "apps/cli/src/commands/run-whole.test.ts",
  "apps/cli/src/growth.test.ts",
  "bench/src/operations/operations.test.ts",
]);

const TURNS = 4;

/** Globs of those that this turn leaves out; none where no turn is set. */
export function leftOut(turn = process.env.PLASM_TEST_TURN) {
  if (!/^\d+$/.test(turn ?? "")) return [];
  return SLOW_TESTS.filter((_, at) => at % TURNS !== Number(turn) % TURNS).map(
    // Globs are those of a package, whose own directories name a file well enough.
    (path) => `**/${path.replace(/^(?:packages|apps)\/[^/]+\/|^(?:e2e|bench)\//, "")}`,
  );
}
