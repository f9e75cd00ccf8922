import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveSide } from "./serve-side.ts";
import { sideProcess } from "./told-side.ts";

/** Serves a side on stdin and stdout until its client has gone. */
const { side, documents, world } = sideProcess();
const end = await serveSide(side, world, documents, new StdioServerTransport());
process.stdin.once("end", () => void end().finally(() => process.exit(0)));
