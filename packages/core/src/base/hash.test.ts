import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryText } from "../../test/arbitrary-text.ts";
import { utf8Bytes } from "./text.ts";
import { canonicalJson, sha256Hex } from "./canonical-json.ts";

test("sha256Hex gives the published vectors", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("utf8Bytes and sha256Hex agree with the platform on any text", () => {
  fc.assert(
    fc.property(arbitraryText, (text) => {
      expect([...utf8Bytes(text)]).toEqual([...new TextEncoder().encode(text)]);
      expect(sha256Hex(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
    }),
  );
});

test("canonicalJson is RFC 8785", () => {
  const value = { b: [1e21, 0.1, -0], a: { "\u20ac": 1, "\r": 2, "1": 3 }, c: undefined };
  expect(canonicalJson(value)).toBe('{"a":{"\\r":2,"1":3,"€":1},"b":[1e+21,0.1,0]}');
  expect(() => canonicalJson("\ud800")).toThrow();
  expect(() => canonicalJson(Number.NaN)).toThrow();
  expect(() => canonicalJson(undefined)).toThrow(TypeError);
});

test("canonicalJson writes what the library of RFC 8785 writes, or refuses as it does", () => {
  const key = fc.oneof(fc.constantFrom("10", "9", "b", "a", "__proto__", "\u20ac"), fc.string());
  const { any } = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      arbitraryText,
      fc.oneof(fc.double(), fc.integer()),
      fc.constantFrom<unknown>(
        null,
        true,
        false,
        undefined,
        -0,
        1e21,
        "\ud800",
        new Date(0),
        "\u007f",
      ),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(key, tie("any"), { maxKeys: 4 }),
    ),
  }));
  const textOr = (write: () => string | undefined): string => {
    try {
      return write() ?? "none";
    } catch {
      return "none";
    }
  };
  fc.assert(
    fc.property(any, (value) => {
      expect(textOr(() => canonicalJson(value))).toBe(textOr(() => canonicalize(value)));
    }),
    { numRuns: 2000 },
  );
});

test("canonicalJson writes values of any depth, and refuses cycles", () => {
  const depth = 20_000;
  const deep: unknown = JSON.parse(`${'[{"a":'.repeat(depth)}1${"}]".repeat(depth)}`);
  expect(canonicalJson(deep)).toHaveLength(depth * 8 + 1);
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(() => canonicalJson(cycle)).toThrow(/[Cc]ircular/);
});
