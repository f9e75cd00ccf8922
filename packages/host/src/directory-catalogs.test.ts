import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readOrigin } from "./directory-catalogs.ts";
import { cleanUp, temporaryDirectory } from "./testing/data-directory.ts";

afterEach(cleanUp);

const RECORD = {
  version: 1,
  source: "https://user:secret@api.example/openapi.json?key=secret",
  digest: "sha256:1",
  read: "2026-11-23T16:50:00.000Z",
  operations: 250,
  reached: 20,
  left: Array.from({ length: 230 }, (_, n) => `GET /${n}: no rows`),
};

async function kept(text: string) {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "import.json"), text);
  return readOrigin(directory);
}

describe("what a catalog was made of (SURF-47)", () => {
  it("is its document, when it was read, and what was left out, without what may be secret", async () => {
    const origin = await kept(JSON.stringify(RECORD));
    expect(origin).toMatchObject({
      source: "https://api.example/openapi.json",
      digest: "sha256:1",
      operations: 250,
      reached: 20,
      omitted: 30,
    });
    expect(origin?.left_out).toHaveLength(200);
    const long = await kept(JSON.stringify({ ...RECORD, left: ["x".repeat(5_000)] }));
    expect(long?.left_out[0]?.length).toBeLessThan(400);
    expect(await kept(JSON.stringify({ ...RECORD, source: "/home/ann/api.yaml" }))).toMatchObject({
      source: "api.yaml",
    });
  });

  it.each(["", "[]", "{", "null", '{"source":1}'])(
    "is nothing where nothing can be read: %s",
    async (text) => {
      expect(await kept(text)).toBeNull();
    },
  );

  it("is nothing where nothing was kept", async () => {
    expect(await readOrigin(await temporaryDirectory())).toBeNull();
  });
});
