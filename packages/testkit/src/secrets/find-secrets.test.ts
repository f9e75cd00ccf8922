import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSecrets } from "./find-secrets.ts";

const SECRET = 's3cret/of "quay"+1?';
const found = (data: string | Uint8Array) =>
  findSecrets("here", data, { key: SECRET }).map(({ writing }) => writing);

describe("a secret is found in each writing, whatever stands around it", () => {
  test.each<[string, string]>([
    ["raw", SECRET],
    ["JSON", JSON.stringify({ a: SECRET })],
    ["percent-encoded", `?key=${encodeURIComponent(SECRET)}&b=1`],
    ["form-encoded", new URLSearchParams({ key: SECRET }).toString()],
    ["hex", Buffer.from(SECRET).toString("hex")],
    ["base64 at 0", Buffer.from(SECRET).toString("base64")],
    ["base64 at 1", Buffer.from(`me:${"x".repeat(1)}${SECRET}`).toString("base64")],
    ["base64url at 2", Buffer.from(`ab${SECRET}zz`).toString("base64url")],
  ])("%s", (_writing, text) => {
    expect(found(`before ${text} after`)).not.toEqual([]);
    expect(found(Buffer.from(`\u0000${text}\u0000`))).not.toEqual([]);
  });

  test("Basic credentials of any client (fast-check)", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = Buffer.from(`${before}${SECRET}${after}`).toString("base64");
        expect(found(text)).not.toEqual([]);
      }),
    );
  });
});

test("text without it has none", () => {
  expect(found("s3cret of quay, [redacted]")).toEqual([]);
});

test("a secret that is too short is refused, not searched for", () => {
  expect(() => findSecrets("here", "abc", { key: "abc" })).toThrow("too short");
});
