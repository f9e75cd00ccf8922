import type { JsonObject } from "@plasm/core";
import type { EntityRow } from "../../decode/entity-row.ts";
import type { PartialReason } from "../../diagnostic.ts";
import type { PreflightCall, PreflightReads } from "../../preflight/preflight-call.ts";
import { runPreflight } from "../../preflight/run-preflight.ts";
import type { Engine } from "../engine.ts";
import type { Feed, Site } from "../feed.ts";
import { markUnread } from "../list-sets.ts";
import { openRows, readOne } from "../read-capability.ts";
import { partialSource } from "./refuse-partial.ts";

/** Reads for the steps of one effect; rows that lack something stop it like partial input (LANG-076). */
function readsOf(engine: Engine, feed: Feed, { catalog }: PreflightCall): PreflightReads {
  const whole = async <T>(read: (site: Site) => Promise<T>): Promise<T> => {
    const marks: PartialReason[] = [];
    const rows = await read({ id: feed.id, log: feed.log, mark: (reason) => marks.push(reason) });
    const [mark] = marks;
    if (mark !== undefined) throw partialSource("what is read before it", mark);
    return rows;
  };
  return {
    one: (capability, identity, ambient) =>
      whole((site) => {
        const call = { catalog, capability, args: {}, anchor: {}, ambient };
        return readOne(engine, site, call, identity);
      }),
    all: (capability, args, ambient) =>
      whole(async (site) => {
        const call = { catalog, capability, args, anchor: {}, ambient };
        const pages = openRows(engine, site, call, null);
        const rows: EntityRow[] = [];
        while (!pages.ended) rows.push(...(await pages.next()));
        markUnread(site, pages.unread);
        return rows;
      }),
  };
}

/** The names that the preflight of an effect binds; it reads after the last effect (RUN-104). */
export function effectPreflight(
  engine: Engine,
  feed: Feed,
  call: PreflightCall,
): Promise<JsonObject> {
  if (call.capability.preflight.length === 0) return Promise.resolve({});
  const variables = engine.variables.of(call.catalog.entryId);
  return runPreflight(call, readsOf(engine, feed, call), {
    functions: engine.functions,
    variables,
  });
}
