import { createHash } from "node:crypto";
import type { JsonObject } from "@plasm/core";
import type { EarlierAttempt } from "@plasm/runtime";
import type { OperationPlace, Store } from "../ports.ts";
import type { EffectRecord } from "../records/effect-record.ts";

/** Keeps rows of nodes that have finished, ahead of an effect (OPS-28). The first ones kept stand. */
export async function keepOutputs(
  store: Store,
  { scope, id }: OperationPlace,
  outputs: ReadonlyMap<string, JsonObject>,
): Promise<void> {
  for (const [node, value] of outputs) {
    const bytes = Buffer.from(JSON.stringify(value), "utf8");
    const rows = createHash("sha256").update(bytes).digest("hex");
    await store.putBlob(rows, bytes);
    await store.insert("output", scope, `${id}/${node}`, { node, rows });
  }
}

/** What an operation's earlier attempts came to; null if no effect of them was started (OPS-32). */
export async function readEarlier(
  store: Store,
  { scope, id }: OperationPlace,
): Promise<EarlierAttempt | null> {
  const records = await store.list("effect", scope, `${id}/`);
  if (records.length === 0) return null;
  const effects = records.map(({ value }): EffectRecord => value);
  const outputs = new Map<string, JsonObject>();
  for (const { value } of await store.list("output", scope, `${id}/`)) {
    const bytes = await store.getBlob(value.rows);
    if (bytes === null) throw new Error(`The rows of ${value.node} of an operation are missing`);
    outputs.set(value.node, JSON.parse(Buffer.from(bytes).toString("utf8")) as JsonObject);
  }
  return { effects: effects.toSorted((a, b) => a.seq - b.seq), outputs };
}

/** Whether nobody knows how an effect ended: it is never sent again (OPS-32). */
export const leftOpen = ({ effects }: EarlierAttempt): boolean =>
  effects.some(({ status }) => status === "started");
