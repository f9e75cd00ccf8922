import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeResult } from "../results.ts";
import { measurePeers } from "./measure-peers.ts";
import { measureSessions, sessionTable } from "./measure-sessions.ts";
import { measureStarts, startTable } from "./measure-starts.ts";
import { measureTimes, timeTable } from "./measure-times.ts";
import { goalTable } from "./peers-goals.ts";
import { tokenTable } from "./peers-table.ts";

const PATHS = ["packages/core/src", "packages/runtime/src", "packages/agent-core/src", "catalogs"];

/** What is besides in the file that is shipped, which is timed. */
const SHIPPED = [
  "packages/store/src",
  "packages/host/src",
  "apps/mcp/src",
  "apps/cli/src",
  "tooling/bundle",
];

/** Processes of each side that are started. */
const STARTS = 5;

/** A transcript a line, so that a change of one is a change of one line. */
function storeTranscripts(transcripts: readonly object[]): void {
  const dir = fileURLToPath(new URL("../../results/peers/", import.meta.url));
  mkdirSync(dir, { recursive: true });
  const lines = transcripts.map((each) => JSON.stringify(each)).join(",\n");
  writeFileSync(`${dir}transcripts.json`, `[\n${lines}\n]\n`);
}

/** Plasm beside its peers: tokens, turns and requests. */
export async function benchPeers(): Promise<void> {
  const { tokens, transcripts } = await measurePeers();
  writeResult("peers", PATHS, { peers: tokens });
  storeTranscripts(transcripts);
  console.log(tokenTable(tokens.totals));
  console.log(goalTable(tokens.goals));
  for (const { side, tokens: all } of tokens.together) console.log(`together ${all}  ${side}`);
}

/** The same in time and memory. */
export async function benchPeerTimes(): Promise<void> {
  const { added, fresh } = await measureTimes();
  console.log(timeTable(added));
  console.log(`servers just started\n${timeTable(fresh)}`);
  const starts = await measureStarts(STARTS);
  console.log(startTable(starts));
  const held = await measureSessions();
  console.log(sessionTable(held));
  writeResult("peer-times", [...PATHS, ...SHIPPED], { added, fresh, starts, held });
}
