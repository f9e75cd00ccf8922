import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, it } from "vitest";
import { cleanUp, COMPILE_CACHE, fixture, temporaryDirectory } from "./testing/spawn-plasm.ts";

afterEach(cleanUp);

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What a start loads before it tells its tools: each name is time that every start takes. */
const PACKAGES = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "@noble/hashes",
  "@opentelemetry/api",
  "@pinojs/redact",
  "atomic-sleep",
  "big.js",
  "canonicalize",
  "commander",
  "jose",
  "kysely",
  "oauth4webapi",
  "on-exit-leak-free",
  "pino",
  "pino-std-serializers",
  "quick-format-unescaped",
  "safe-stable-stringify",
  "sonic-boom",
  "thread-stream",
  "uuid",
  "yaml",
  "zod",
];

/** The package that a module is of, if it is of npm. */
const packageOf = (url: string): string[] => {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  return name === undefined ? [] : [name];
};

it("a server over stdio loads what its tools need, and nothing of what it may need later", async () => {
  const directory = await temporaryDirectory();
  const noted = join(directory, "loaded");
  const node = ["--conditions=@plasm/source", `--import=${here("./testing/note-loaded.mjs")}`];
  const serve = ["serve", "--stdio", "--data", directory, "--catalogs", fixture("quay")];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...node, here("./main.ts"), ...serve],
    env: {
      PATH: process.env["PATH"] ?? "",
      PLASM_LOG: "warn",
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NOTE_LOADED: noted,
    },
  });
  const client = new Client({ name: "start", version: "1" });
  await client.connect(transport);
  await client.listTools();
  const loaded = (await readFile(noted, "utf8")).split("\n");
  await client.close();
  expect([...new Set(loaded.flatMap(packageOf))].toSorted()).toEqual(PACKAGES);
  expect(loaded.filter((url) => /\/apps\/http\//.test(url))).toEqual([]);
});
