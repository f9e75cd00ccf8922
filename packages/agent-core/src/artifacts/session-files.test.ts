import { describe, expect, test } from "vitest";
import { testStore } from "../../test/test-store.ts";
import { readFile, sessionFiles } from "./session-files.ts";
import { formatResourceUri, parseResourceUri } from "./uris.ts";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const bytes = new TextEncoder().encode("hello");
const key = { promptHash: "1".repeat(64), sessionId: "2".repeat(32) };

describe("RUN-038: files of a session", () => {
  test("are found at their URI, equal ones at one", async () => {
    const store = testStore();
    const files = sessionFiles(store, { scope: "a", owner: "u", place: { ref: "s0" } });
    const uri = await files.put(bytes, "text/plain");
    expect(uri).toBe(`plasm://session/s0/a/${HELLO}`);
    expect(await files.put(bytes, "text/plain")).toBe(uri);
    expect(await files.get(uri)).toEqual(bytes);
    const read = await readFile(store, "a", "u", HELLO);
    expect(read?.record).toMatchObject({ mimeType: "text/plain", bytes: 5 });
  });

  test("SESS-38: not by another scope, owner, slot or kind of URI", async () => {
    const store = testStore();
    const files = sessionFiles(store, { scope: "a", owner: "u", place: { ref: "s0" } });
    const uri = await files.put(bytes, "text/plain");
    const foreign = [
      { scope: "b", owner: "u", place: { ref: "s0" } },
      { scope: "a", owner: "v", place: { ref: "s0" } },
      { scope: "a", owner: "u", place: { ref: "s1" } },
      { scope: "a", owner: "u", place: { key } },
    ];
    for (const owner of foreign) expect(await sessionFiles(store, owner).get(uri)).toBeNull();
    for (const other of ["plasm://session/s0/r/1", "https://example.com/a", `${uri}0`, ""]) {
      expect(await files.get(other)).toBeNull();
    }
  });
});

test.each([{ ref: "s12" }, { key }])("SURF-10: the URI of a file at %j reads back", (place) => {
  const address = { kind: "file", place, sha256: HELLO } as const;
  expect(parseResourceUri(formatResourceUri(address))).toEqual(address);
});
