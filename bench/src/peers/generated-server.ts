import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Document } from "./document.ts";

const require = createRequire(import.meta.url);

/** What a generated server needs, by the name it imports; its zod is the third. */
const NEEDS: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/sdk": "@modelcontextprotocol/sdk/package.json",
  axios: "axios/package.json",
  dotenv: "dotenv/package.json",
  "json-schema-to-zod": "json-schema-to-zod/package.json",
  zod: "zod-3/package.json",
};

/** The directory of an installed package, also of one that exports no package.json. */
function homeOf(request: string): string {
  const [name = ""] = request.split("/package.json");
  for (const root of require.resolve.paths(name) ?? []) {
    try {
      return dirname(require.resolve(join(root, request)));
    } catch {
      continue;
    }
  }
  throw new Error(`${name} is not installed`);
}

/**
 * Makes a server of a document with openapi-mcp-generator's command, all options at their defaults; the
 * packages it would install are linked instead. Gives the server's source.
 */
export async function generateServer(
  document: Document,
  baseUrl: string,
  dir: string,
): Promise<string> {
  await mkdir(dir, { recursive: true });
  const input = join(dir, "openapi.json");
  await writeFile(input, JSON.stringify(document));
  const output = join(dir, "server");
  const command = join(
    homeOf("openapi-mcp-generator/package.json"),
    "bin/openapi-mcp-generator.js",
  );
  const args = [command, "--input", input, "--output", output, "--base-url", baseUrl];
  await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  for (const [name, request] of Object.entries(NEEDS)) {
    const link = join(output, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(homeOf(request), link);
  }
  return join(output, "src/index.ts");
}

/** No connection is kept: its agent would drop one that is idle for seconds at the moment when it is used again. */
const FRESH =
  'data:text/javascript,import http from "node:http"; http.globalAgent = new http.Agent();';

/** Starts a generated server as its own process; Node reads its TypeScript as it stands. */
export const generatedTransport = (source: string, token: string): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: ["--import", FRESH, source],
    cwd: dirname(dirname(source)),
    env: { PATH: process.env["PATH"] ?? "", BEARER_TOKEN_BEARER: token },
    stderr: "ignore",
  });
