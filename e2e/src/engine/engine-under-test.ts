import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller, Engine } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import { openEngine } from "./open-engine.ts";

export const START = Date.UTC(2026, 0, 5, 10, 0, 0);

/** An engine on its own data directory, whose clock the test moves. */
export interface EngineUnderTest {
  readonly engine: Engine;
  readonly dataDir: string;
  setNow(ms: number): void;
  /** ends this engine and opens another on the same data, as a restart does */
  restart(): Promise<Engine>;
  dispose(): Promise<void>;
}

export const caller = (over: Partial<Caller> = {}): Caller => ({
  scope: "t1",
  subject: "ann",
  connection: null,
  ...over,
});

/** An engine over the quay and yard catalogs; programs that only plan need no server. */
export async function engineUnderTest(
  backends: ReadonlyMap<string, string> = new Map(),
  policy: Policy = {},
): Promise<EngineUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-engine-"));
  let now = START;
  const open = () => openEngine({ dataDir, now: () => now, backends, policy });
  let engine = await open();
  return {
    get engine() {
      return engine;
    },
    dataDir,
    setNow: (ms) => {
      now = ms;
    },
    restart: async () => {
      await engine.close();
      engine = await open();
      return engine;
    },
    dispose: async () => {
      await engine.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
