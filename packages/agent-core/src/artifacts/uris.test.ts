import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatResourceUri, parseResourceUri, type ResourceAddress } from "./uris.ts";

const hex = (n: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: n, maxLength: n });

const address: fc.Arbitrary<ResourceAddress> = fc.oneof(
  fc.constant({ kind: "registry" as const }),
  fc.record({
    kind: fc.constant("snapshot" as const),
    ref: fc.nat(999).map((n) => `s${n}`),
    n: fc.integer({ min: 1, max: 999_999 }),
  }),
  fc.record({ kind: fc.constant("table" as const), ref: fc.uuid() }),
  fc.record({ kind: fc.constant("grafts" as const), ref: fc.uuid() }),
  fc.record({
    kind: fc.constant("graft" as const),
    ref: fc.nat(999).map((n) => `s${n}`),
    graftId: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  }),
  fc.record({
    kind: fc.constant("run" as const),
    key: fc.record({ promptHash: hex(64), sessionId: hex(32) }),
    runId: hex(64).map((id) => `pr${id}`),
  }),
  fc.record({
    kind: fc.constant("watch" as const),
    id: fc.uuid(),
    after: fc.option(fc.stringMatching(/^[0-9]{12}-[A-Za-z0-9_-]{22}$/)),
  }),
);

describe("resource URIs (SURF-10)", () => {
  it("P11 parse and format are inverse", () => {
    fc.assert(
      fc.property(address, (one) => {
        expect(parseResourceUri(formatResourceUri(one))).toEqual(one);
      }),
    );
  });

  it.each([
    "plasm://session/s0/r/0",
    "plasm://session/s0/r/1x",
    "plasm://session//r/1",
    "plasm://session/s0/g/",
    "plasm://session/s0/g/a/b",
    "plasm://session/s0/../r/1",
    "plasm://execute/ab/cd/run/pr00",
    "plasm://watch/0",
    "plasm://watch/0f6c1d2e-0000-4000-8000-000000000000?after=",
    "plasm://watch/0f6c1d2e-0000-4000-8000-000000000000?after=1&before=2",
    "http://session/s0/r/1",
    "",
  ])("P11 refuses %j", (junk) => expect(parseResourceUri(junk)).toBeNull());
});
