import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { redmineClient, type RedmineClient } from "./redmine-client.ts";
import { type Redmine, startRedmine } from "./start-redmine.ts";

/** A fresh seeded Redmine for the tests of one file; the client is there once they run. */
export function useRedmine(): () => RedmineClient {
  let dataDir: string | undefined;
  let redmine: Redmine | undefined;
  let client: RedmineClient | undefined;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "redmine-"));
    redmine = await startRedmine({ dataDir });
    client = redmineClient(redmine.url);
  });
  afterAll(async () => {
    await redmine?.close();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });
  return () => {
    if (client === undefined) throw new Error("Redmine has not started");
    return client;
  };
}
