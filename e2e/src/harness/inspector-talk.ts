import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { plasmServe } from "./plasm-command.ts";
import { runProcess } from "./run-process.ts";
import type { Wire } from "./sdk-v1-talk.ts";
import type { Place } from "./surfaces.ts";
import type { Opening, Talk } from "./talk.ts";
import { toolTalk, type ToolResult } from "./tool-talk.ts";

const require = createRequire(import.meta.url);
const INSPECTOR = join(
  dirname(require.resolve("@modelcontextprotocol/inspector/package.json")),
  "clients/launcher/build/index.js",
);

/** What the Inspector ends with when the tool's result is an error. */
const TOOL_ERROR = 5;

function targetOf(wire: Wire, place: Place): readonly string[] {
  if (wire === "HTTP") return [new URL("/mcp", place.url).href];
  const { command, args, env } = plasmServe(place.options, ["--stdio"]);
  const settings = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  return [command, ...args, ...settings];
}

const pair = ([name, value]: readonly [string, unknown]): string =>
  `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;

/** Arguments by which its CLI mode calls a tool. */
export const inspectorArguments = (
  target: readonly string[],
  name: string,
  args: object,
): readonly string[] => [
  "--cli",
  ...target,
  "--method",
  "tools/call",
  "--tool-name",
  name,
  "--tool-arg",
  ...Object.entries(args).map(pair),
];

/** Runs it with these arguments, its files in a directory of the caller's. */
export async function inspect(home: string, args: readonly string[]): Promise<ToolResult> {
  const { code, stdout, stderr } = await runProcess({
    command: process.execPath,
    args: [INSPECTOR, ...args],
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
  });
  if (code !== 0 && code !== TOOL_ERROR) {
    throw new Error(`The Inspector ended with ${code}:\n${stdout}\n${stderr}`);
  }
  const result = JSON.parse(stdout) as ToolResult;
  if ((code === TOOL_ERROR) !== (result.isError === true)) {
    throw new Error(`The Inspector ended with ${code} for\n${stdout}`);
  }
  return result;
}

/** A session of the Inspector's CLI mode: each call is a process, and a connection, of its own. */
export async function inspectorTalk(wire: Wire, place: Place, opening: Opening): Promise<Talk> {
  const home = await mkdtemp(join(tmpdir(), "inspector-home-"));
  const target = targetOf(wire, place);
  const callTool = (name: string, args: object): Promise<ToolResult> =>
    inspect(home, inspectorArguments(target, name, args));
  return toolTalk(callTool, opening, () => rm(home, { recursive: true, force: true }));
}
