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
