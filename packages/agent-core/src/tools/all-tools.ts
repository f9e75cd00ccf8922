import { discoverCapabilities } from "./discover-capabilities.ts";
import { graftedContextFetch } from "./grafted-context-fetch.ts";
import { plasmContext } from "./plasm-context.ts";
import { plasmRun } from "./plasm-run.ts";
import { plasm } from "./plasm.ts";
import type { Tool } from "./tool.ts";

/** Every tool, in the order `tools/list` shows them (SURF-3); the list never changes (SURF-1). */
export const TOOLS: readonly Tool[] = Object.freeze([
  plasmContext,
  plasm,
  plasmRun,
  discoverCapabilities,
  graftedContextFetch,
]);
