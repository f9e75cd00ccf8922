import { createHash } from "node:crypto";
import type { StoredFile } from "@plasm/runtime";
import { describe, expect, test } from "vitest";
import { testStore } from "../../test/test-store.ts";
import { sessionFiles } from "./session-files.ts";
import { formatResourceUri, parseResourceUri } from "./uris.ts";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const bytes = new TextEncoder().encode("hello");
const key = { promptHash: "1".repeat(64), sessionId: "2".repeat(32) };

const SESSION = { scope: "a", owner: "u", principal: "p", place: { ref: "s0" } };
const PART = 1024 * 1024;

async function* come(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function read(file: StoredFile | null): Promise<Buffer | null> {
  if (file === null) return null;
  const pieces: Uint8Array[] = [];
  for await (const piece of file.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}

const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

describe("RUN-038: files of a session", () => {
  test("are found at their URI, equal ones at one", async () => {
    const files = sessionFiles(testStore(), SESSION);
    const { uri, size, mimeType } = await files.put(come(bytes), "text/plain");
    expect([uri, size, mimeType]).toEqual([`plasm://session/s0/a/${HELLO}`, 5, "text/plain"]);
    expect((await files.put(come(bytes), "text/plain")).uri).toBe(uri);
    const found = await files.open(uri);
    expect(found).toMatchObject({ uri, sha256: HELLO, size: 5, mimeType: "text/plain" });
    expect(await read(found)).toEqual(Buffer.from(bytes));
  });

  test("SESS-38: not by another scope, owner, slot or kind of URI", async () => {
    const store = testStore();
    const { uri } = await sessionFiles(store, SESSION).put(come(bytes), "text/plain");
    const foreign = [
      { ...SESSION, scope: "b" },
      { ...SESSION, owner: "v" },
      { ...SESSION, principal: "q" },
      { ...SESSION, place: { ref: "s1" } },
      { ...SESSION, place: { key } },
    ];
    for (const owner of foreign) expect(await sessionFiles(store, owner).open(uri)).toBeNull();
    for (const other of ["plasm://session/s0/r/1", "https://example.com/a", `${uri}0`, ""]) {
      expect(await sessionFiles(store, SESSION).open(other)).toBeNull();
    }
  });

  test("VAL-04: each of those who took it has it", async () => {
    const store = testStore();
    const other = sessionFiles(store, { ...SESSION, principal: "q" });
    const { uri } = await sessionFiles(store, SESSION).put(come(bytes), "text/plain");
    await other.put(come(bytes), "text/plain");
    expect((await other.open(uri))?.size).toBe(5);
    expect((await sessionFiles(store, SESSION).open(uri))?.size).toBe(5);
  });

  test("SURF-25: as long as policy allows what gave them", async () => {
    const store = testStore();
    const { uri } = await sessionFiles(store, SESSION).put(come(bytes), "text/plain", "x/get");
    const allowing = (use: string) =>
      sessionFiles(store, { ...SESSION, allows: (uses) => uses.includes(use) }).open(uri);
    expect(await allowing("x/get")).not.toBeNull();
    expect(await allowing("x/other")).toBeNull();
  });

  test("one that an earlier program kept whole is read as it was", async () => {
    const store = testStore();
    await store.putBlob(HELLO, bytes);
    const record = { sha256: HELLO, mimeType: "text/plain", bytes: 5, uses: [], createdAt: 0 };
    await store.insert("file", "a", `u/${HELLO}`, record);
    const found = await sessionFiles(store, SESSION).open(`plasm://session/s0/a/${HELLO}`);
    expect(found?.size).toBe(5);
    expect(await read(found)).toEqual(Buffer.from(bytes));
  });
});

describe("VAL-01: a file is kept in parts", () => {
  const large = Buffer.alloc(2 * PART + 7, "plasm");
  const pieces = (): AsyncGenerator<Uint8Array> =>
    come(large.subarray(0, 3), large.subarray(3, PART + 9), large.subarray(PART + 9));
  const recordsOf = async (store: ReturnType<typeof testStore>): Promise<number> =>
    (await store.list("file", "a", "u/")).length;

  test("of one size, whatever they come in, which the tenant's bytes count once", async () => {
    const written: number[] = [];
    const store = testStore();
    const noting = new Proxy(store, {
      get: (target, name) =>
        name === "putBlob"
          ? async (named: string, part: Uint8Array) => {
              written.push(part.length);
              await target.putBlob(named, part);
            }
          : (Reflect.get(target, name) as unknown),
    });
    const file = await sessionFiles(noting, SESSION).put(pieces(), "video/mp4");
    expect(written).toEqual([PART, PART, 7]);
    expect([file.size, file.sha256]).toEqual([large.length, sha256(large)]);
    expect(sha256((await read(file)) ?? bytes)).toBe(file.sha256);
    const listed = await store.list("file", "a", "u/");
    const counted = listed.reduce((sum, { value }) => sum + value.bytes, 0);
    expect(counted).toBe(
      new Set([sha256(large.subarray(0, PART)), sha256(large.subarray(PART, 2 * PART))]).size *
        PART +
        7,
    );
  });

  test("none of which stays where it does not come to its end, but for those of others", async () => {
    const store = testStore();
    const files = sessionFiles(store, SESSION);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield large;
      throw new Error("lost");
    }
    await expect(files.put(broken(), "video/mp4")).rejects.toThrow("lost");
    expect(await recordsOf(store)).toBe(0);
    const kept = await files.put(pieces(), "video/mp4");
    const before = await recordsOf(store);
    await expect(files.put(broken(), "video/mp4")).rejects.toThrow("lost");
    expect(await recordsOf(store)).toBe(before);
    expect(sha256((await read(await files.open(kept.uri))) ?? bytes)).toBe(sha256(large));
  });

  test("one of which a part is gone is gone", async () => {
    const store = testStore();
    const files = sessionFiles(store, SESSION);
    const { uri } = await files.put(pieces(), "video/mp4");
    await store.delete("file", "a", `u/part/${sha256(large.subarray(2 * PART))}`);
    expect(await files.open(uri)).toBeNull();
  });
});

test.each([{ ref: "s12" }, { key }])("SURF-10: the URI of a file at %j reads back", (place) => {
  const address = { kind: "file", place, sha256: HELLO } as const;
  expect(parseResourceUri(formatResourceUri(address))).toEqual(address);
});
