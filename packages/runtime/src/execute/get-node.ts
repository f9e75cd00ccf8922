import { wholeRow } from "../rows/row.ts";
import { failure, RunFailure } from "../run-failure.ts";
import { servedBy } from "./choose-get.ts";
import type { Engine } from "./engine.ts";
import type { Feed, ReadStep, RowReader } from "./feed.ts";
import type { GetNode } from "./node-types.ts";
import { callIdentity, readGet } from "./read-get.ts";
import { resolveArgs, resolveKey } from "./resolve-args.ts";

async function readNode(engine: Engine, feed: Feed, node: GetNode): Promise<ReadStep> {
  const catalog = engine.catalog(node.catalog.entry_id);
  const capability = catalog.cgs.capabilities.get(node.capability);
  const entity = catalog.cgs.entities.get(node.catalog.entity);
  if (capability === undefined || entity === undefined) {
    throw new Error(`no get ${node.capability} of ${node.catalog.entity}`);
  }
  const keyed = Object.keys(node.key).length > 0;
  const identity = keyed ? await resolveKey(engine, feed, entity, node.key) : null;
  const args = await resolveArgs(engine, feed, capability, node.args);
  const served = servedBy(catalog, capability);
  const called = identity === null ? null : callIdentity(identity);
  const call = { catalog, ...served, args, identity: called, anchor: {}, ambient: {} };
  const row = await readGet(engine, feed, call, identity);
  if (row !== null) return { rows: [wholeRow(row)], ended: true };
  if (node.missing === "empty") return { rows: [], ended: true };
  throw new RunFailure(
    failure(
      "not_found",
      `${identity?.text ?? entity.name} does not exist.`,
      "check the key, or list the rows",
    ),
  );
}

/** Reads one row by its key; a written get always goes to the API (RUN-060). */
export function getNode(engine: Engine, feed: Feed, node: GetNode): RowReader {
  return {
    sources: [],
    read: () => readNode(engine, feed, node),
    save: () => null,
  };
}
