import { describe, expect, test } from "vitest";
import { formatCatalogDiagnostic } from "../reporter.ts";
import { catalogMessages } from "../messages/catalogue.ts";
import type { MessageSpec } from "../messages/message.ts";
import { brokenCases } from "./testing/broken-cases.ts";
import { diagnosePatch } from "./testing/diagnose-patch.ts";
import { requirements, violable } from "./testing/requirements.ts";

const specs: readonly (readonly [string, MessageSpec])[] = Object.entries(catalogMessages);
const codeOf = (rule: string): string => rule.replace("-", "");
const diagnosed = brokenCases.map((broken) => ({ broken, ...diagnosePatch(broken) }));

describe("a broken catalog has one diagnostic, at its place, that says what it must", () => {
  for (const { broken, found, expected, message, missing, diagnostic, texts } of diagnosed) {
    test(`${broken.rule}: ${broken.when}`, () => {
      expect(found).toEqual(expected);
      expect({ message, missing }).toEqual({ message, missing: [] });
      expect(message).not.toMatch(/\{\w+\}|undefined|\[object/);
      if (diagnostic === undefined) return;
      const { code, severity, file, line, column, keyPath } = diagnostic;
      const [head] = formatCatalogDiagnostic(diagnostic, texts[file]).split("\n");
      const path = keyPath === "" ? "" : ` (${keyPath})`;
      expect(head).toBe(`${code} ${severity} at ${file}:${line}:${column}${path}`);
    });
  }
});

describe("the rules of both formats", () => {
  test("each that a file can violate has a broken catalog", () => {
    const broken = new Set(brokenCases.map(({ rule }) => rule));
    expect(violable.filter((rule) => !broken.has(rule))).toEqual([]);
    expect([...broken].filter((rule) => !violable.includes(rule))).toEqual([]);
  });

  test("each reports under its own number, with the severity of its table", () => {
    const severities = Object.fromEntries(specs.map(([code, { severity }]) => [code, severity]));
    const told = violable.map((rule) => [codeOf(rule), requirements.get(rule)] as const);
    expect(severities).toEqual(Object.fromEntries(told));
  });

  test("each text of a message is some broken catalog's", () => {
    const patterns = specs.flatMap(([code, { texts }]) =>
      Object.entries(texts).map(([variant, text]) => ({ code, variant, text: pattern(text) })),
    );
    const silent = patterns.filter(({ code, text }) =>
      diagnosed.every(
        ({ diagnostic }) => diagnostic?.code !== code || !text.test(diagnostic.message),
      ),
    );
    expect(silent.map(({ code, variant }) => `${code} ${variant}`)).toEqual([]);
  });

  test("each text says what is allowed", () => {
    const allowed =
      /Allowed|Accepted|Expected|There are: |Its parameters: |Declared scopes: |Keep one|Core types: |\{allowed\}/;
    const silent = specs.flatMap(([code, { texts }]) =>
      Object.entries(texts).flatMap(([variant, text]) =>
        allowed.test(text) ? [] : [`${code} ${variant}`],
      ),
    );
    // What is wrong inside a template says itself what would be right.
    expect(silent).toEqual(["CAT126 problem", "CAT153 problem"]);
  });
});

/** A message text with any value for its placeholders. */
function pattern(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`, "u");
}
