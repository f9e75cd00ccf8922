#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Keeps what Node compiles for the next start, which then takes a third less time. It is code that will be
 * run, so it lies with this user's caches and not, as by default, where everybody may write; without a home
 * nothing is kept. Node's own NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE go before.
 */
function keepCompiled(): void {
  try {
    const caches = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
    enableCompileCache(join(caches, "plasm", "compiled"));
  } catch {
    // Only a slower start.
  }
}

keepCompiled();
const { start } = await import("./start.ts");
await start();
