import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";

test("RUN-142 a known secret is removed raw, in base64 and percent-encoded", () => {
  const secret = fc
    .string({ minLength: 6, unit: "binary" })
    .filter((text) => !/\p{Surrogate}/u.test(text));
  fc.assert(
    fc.property(secret, fc.string(), (text, around) => {
      const redactor = createRedactor();
      redactor.add(text);
      const forms = [
        text,
        encodeURIComponent(text),
        Buffer.from(text).toString("base64"),
        Buffer.from(text).toString("base64url"),
      ];
      for (const form of forms) {
        expect(redactor.redact(`${around} ${form} ${around}`)).not.toContain(form);
      }
    }),
  );
});

test("text without a secret stays as it is", () => {
  const redactor = createRedactor();
  redactor.add("k1-secret");
  redactor.add("");
  expect(redactor.redact("nothing to see")).toBe("nothing to see");
});

const SECRET = "ab/cd+ef&g\u00e9'1234";
test.each([
  ["plain", SECRET],
  ["slashes escaped", "ab\\/cd+ef&g\u00e9'1234"],
  ["ASCII only", "ab/cd+ef&g\\u00e9'1234"],
  ["ASCII only, slashes escaped", "ab\\/cd+ef&g\\u00e9'1234"],
  ["safe in markup", "ab/cd+ef\\u0026g\u00e9'1234"],
  ["safe anywhere", "ab/cd\\u002Bef\\u0026g\\u00E9\\u00271234"],
])("RUN-142 a secret that an API's JSON repeats is removed: %s", (_how, written) => {
  const redactor = createRedactor();
  redactor.add(SECRET);
  const body = `{"said":"no ${written} here"}`;
  expect(JSON.parse(body)).toEqual({ said: `no ${SECRET} here` });
  const clean = Buffer.from(redactor.redactData(Buffer.from(body))).toString("utf8");
  expect(JSON.parse(clean)).toEqual({ said: "no [redacted] here" });
});
