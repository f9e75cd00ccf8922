import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LOCAL } from "./caller.ts";
import {
  isProven,
  isTenantName,
  NOBODYS_SCOPE,
  scopeOfConnection,
  scopeOfIssuersTenant,
  scopeOfSubject,
  tenantOfScope,
} from "./tenant-scope.ts";

/** Texts made of what scopes are parted by, so that parts are easily mistaken for each other. */
const text = fc.string({
  unit: fc.constantFrom("a", "|", "%", "7", "C", "tenant", "subject"),
  minLength: 1,
});
const name = text.filter(isTenantName);

test("P25 SURF-23 no two of keys, issuers, tenants and subjects have one scope", () => {
  const source = fc.oneof(
    fc.record({ of: fc.constant("key"), name }),
    fc.record({ of: fc.constant("tenant"), issuer: text, name }),
    fc.record({ of: fc.constant("subject"), issuer: text, subject: text }),
    fc.record({ of: fc.constant("connection"), id: text }),
  );
  type Source = typeof source extends fc.Arbitrary<infer S> ? S : never;
  const scopeOf = (one: Source): string => {
    if ("id" in one) return scopeOfConnection(one.id);
    if ("subject" in one) return scopeOfSubject(one.issuer, one.subject);
    return "issuer" in one ? scopeOfIssuersTenant(one.issuer, one.name) : one.name;
  };
  fc.assert(
    fc.property(source, source, (a, b) => {
      expect(scopeOf(a) === scopeOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
});

describe("SESS-8 who proved nothing", () => {
  test.each([LOCAL.scope, NOBODYS_SCOPE, scopeOfConnection("x")])(
    "%s is of one tenant",
    (scope) => {
      expect([tenantOfScope(scope), isProven(scope)]).toEqual([LOCAL.scope, false]);
    },
  );
  test.each(["acme", "anonymously", "i|tenant|anonymous"])("%s proved it", (scope) => {
    expect([tenantOfScope(scope), isProven(scope)]).toEqual([scope, true]);
  });
});

test.each([
  ["acme", true],
  ["Ümläut & co.", true],
  ["anonymous", false],
  ["ANONYMOUS", false],
  ["a|b", false],
  ["a\nb", false],
  [" a", false],
  ["", false],
  ["x".repeat(201), false],
])("isTenantName(%j): %s (SURF-23)", (given, good) => expect(isTenantName(given)).toBe(good));
