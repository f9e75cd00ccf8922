import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** What a test file has to end when it is over, the last first. */
export interface Endings {
  add(end: () => Promise<unknown>): void;
  /** A directory of its own, deleted at the end. */
  directory(name: string): Promise<string>;
}

/** Something for all tests of a file: started before the first, ended after the last, failed starts too. */
export function useStarted<T>(start: (endings: Endings) => Promise<T>): () => T {
  const ends: (() => Promise<unknown>)[] = [];
  const add = (end: () => Promise<unknown>): void => void ends.push(end);
  let started: { readonly value: T } | undefined;
  beforeAll(async () => {
    const directory = async (name: string): Promise<string> => {
      const path = await mkdtemp(join(tmpdir(), `${name}-`));
      add(() => rm(path, { recursive: true, force: true }));
      return path;
    };
    started = { value: await start({ add, directory }) };
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return () => {
    if (started === undefined) throw new Error("It has not started");
    return started.value;
  };
}
