import { EffectRecorder } from "../effects/effect-log.ts";
import type { Demand, Feed } from "./feed.ts";
import { createRunEngine, type RunEngine } from "./engine.ts";
import { makeResult, type Showing } from "./results.ts";
import { nodeState } from "./node-outcome.ts";
import { openFeed } from "./open-feed.ts";
import type { ContinueOutcome, ContinueRequest, Cursor, RunResult } from "./run-types.ts";
import { type CursorState, unpackCursor } from "./save-cursor.ts";
import { RunStop } from "../limits/limits.ts";
import { failure, type RunError, RunFailure } from "../base/run-failure.ts";

/** A catalog that changed since the rows were read: its cursor cannot go on (RUN-171). */
function changedCatalog(request: ContinueRequest): string | null {
  const { digests } = request.cursor;
  const changed = Object.keys(digests).find(
    (entryId) => request.catalogs.get(entryId)?.digest !== digests[entryId],
  );
  return changed ?? null;
}

/** The error that kept a node from its rows: its own, or that of an input. */
function errorOf(feed: Feed): RunError | null {
  const { ending } = feed;
  if (ending.kind === "failed") return ending.error;
  if (ending.kind !== "skipped") return null;
  for (const source of feed.reader.sources) {
    const error = errorOf(source);
    if (error !== null) return error;
  }
  return null;
}

function engineOf(request: ContinueRequest, state: CursorState): RunEngine {
  const byId = new Map(state.nodes.map((each) => [each.node.id, each]));
  const nodes = state.nodes.map(({ node }) => node);
  // A continuation shows whole rows where the first page did.
  const whole = new Set(nodes.map(({ id }) => id));
  return createRunEngine(request, nodes, {
    whole,
    // Continuing makes reads only: without a log no effect can be sent (PLAN-081).
    effects: new EffectRecorder(null, request.ports.clock),
    open: (engine, node) => openFeed(engine, node, byId.get(node.id) ?? null),
  });
}

/** A whole cursor answers its statement's whole result again; only row cursors give so many rows. */
function demandOf({ cursor, limit }: ContinueRequest, state: CursorState): Demand {
  return cursor.kind === "whole" || limit === undefined ? state.demand : { rows: limit };
}

function failed(error: RunError, engine: RunEngine | null): ContinueOutcome {
  return {
    status: "failed",
    error,
    budget: engine?.budget.use() ?? { requests: 0, rows: 0, pages: 0, bytes: 0, work: 0 },
    requests: engine?.sent ?? [],
  };
}

function catalogChanged(cursor: Cursor, entryId: string): RunError {
  const what = failure(
    "catalog_changed",
    `The catalog ${entryId} has changed since these rows were read.`,
    "plan and run the program again",
  );
  return { ...what, node: cursor.node, row: null };
}

/** What a cursor holds, or why it cannot be read. */
function readable({ cursor, stale }: ContinueRequest): CursorState | RunFailure {
  try {
    return unpackCursor(cursor, stale === true);
  } catch (error) {
    if (error instanceof RunFailure) return error;
    throw error;
  }
}

/** The result, or why it cannot be told: it is too large, or nobody waits for it any more. */
async function madeOrRefused(
  engine: RunEngine,
  feed: Feed,
  showing: Showing,
): Promise<RunResult | RunError> {
  try {
    return await makeResult(engine, feed, showing);
  } catch (thrown) {
    if (thrown instanceof RunFailure) return feed.errorOf(thrown.failure);
    if (!(thrown instanceof RunStop)) throw thrown;
    const what = "The page was cancelled while it waited for memory.";
    return feed.errorOf(failure("budget_exceeded", what, "ask for it again", { retryable: true }));
  }
}

/**
 * Continues a result from where its cursor stands, under a fresh budget (PLAN-080 to PLAN-082,
 * RUN-076): pages joined are the whole result, in order, each row once. On failure the cursor is
 * still good.
 */
export async function continueCursor(request: ContinueRequest): Promise<ContinueOutcome> {
  const { cursor } = request;
  const changed = changedCatalog(request);
  if (changed !== null) return failed(catalogChanged(cursor, changed), null);
  const state = readable(request);
  if (state instanceof RunFailure) {
    return failed({ ...state.failure, node: cursor.node, row: null }, null);
  }
  const engine = engineOf(request, state);
  try {
    return await continueWith(engine, request, state);
  } finally {
    engine.shelf.close();
  }
}

async function continueWith(
  engine: RunEngine,
  request: ContinueRequest,
  state: CursorState,
): Promise<ContinueOutcome> {
  const { cursor } = request;
  const feed = engine.feedOf(cursor.node);
  const demand = demandOf(request, state);
  await feed.read(demand);
  engine.watch.settle((id) => nodeState(engine.feedOf(id)));
  const error = errorOf(feed);
  if (error !== null) return failed(error, engine);
  const root = state.nodes.find(({ node }) => node.id === cursor.node);
  if (root === undefined) throw new Error(`the cursor has no node ${cursor.node}`);
  const result = await madeOrRefused(engine, feed, {
    label: cursor.label,
    node: root.node,
    nodes: state.nodes.map(({ node }) => node),
    entryId: state.entryId,
    demand,
    next: state.demand,
    before: state.shown,
    rounds: state.rounds,
  });
  if ("code" in result) return failed(result, engine);
  return {
    status: "succeeded",
    result,
    skipped: state.shown,
    budget: engine.budget.use(),
    requests: engine.sent,
  };
}
