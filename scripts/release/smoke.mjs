/**
 * Holds a short session with `plasm` in one file, over stdio, on any system that has Node: `node smoke.mjs
 * PLASM.mjs CATALOGS ENTITY`, where ENTITY is API:NAME of one of those catalogs. Needs nothing but this file.
 */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [file, catalogs, seed = ""] = process.argv.slice(2);
const [api, entity] = seed.split(":");
if (entity === undefined) {
  console.error("node smoke.mjs PLASM.mjs CATALOGS API:ENTITY");
  process.exit(2);
}

const data = mkdtempSync(join(tmpdir(), "plasm-smoke-"));
const args = [file, "serve", "--stdio", "--data", data, "--catalogs", catalogs];
const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** Asks, and gives the result of the answer; notices in between are passed over. */
const ask = async (id, method, params) => {
  send({ id, method, params });
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`plasm ended before it answered ${method}`);
    const message = JSON.parse(value);
    if (message.id !== id) continue;
    if (message.error !== undefined) throw new Error(`${method}: ${message.error.message}`);
    return message.result;
  }
};

try {
  const clientInfo = { name: "smoke", version: "1" };
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const { tools } = await ask(2, "tools/list", {});
  const seeds = [{ api, entity }];
  const context = { name: "plasm_context", arguments: { intent: "smoke", seeds } };
  const { content, isError } = await ask(3, "tools/call", context);
  const [{ text }] = content;
  if (isError || !text.includes(entity)) throw new Error(`plasm_context answered:\n${text}`);
  console.log(`${process.platform} ${process.version}: ${tools.length} tools, ${seed} is taught`);
} finally {
  child.stdin.end();
  child.kill();
}
