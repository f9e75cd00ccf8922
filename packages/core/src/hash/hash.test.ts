import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Bytes } from "../text/utf8-bytes.ts";
import { canonicalJson } from "./canonical-json.ts";
import { sha256Hex } from "./sha256-hex.ts";

test("sha256Hex gives the published vectors", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("utf8Bytes and sha256Hex agree with the platform on any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
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
