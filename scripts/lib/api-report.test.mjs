import { expect, test } from "vitest";
import { apiReport } from "./api-report.mjs";

const reportOf = (declarations) => apiReport("@plasm/x", declarations);

test("the order in which a compiler met the words of a union changes nothing", () => {
  const one = 'declare const a: Shape<"json" | "uuid" | "a | b">;\nexport type B = "y" | "x";\n';
  const other = 'declare const a: Shape<"uuid" | "a | b" | "json">;\nexport type B = "x" | "y";\n';
  expect(reportOf(one)).toBe(reportOf(other));
  expect(reportOf(one)).toContain('Shape<"a | b" | "json" | "uuid">');
});

test("another word, another type beside words, or another order of anything else does", () => {
  const report = reportOf('export type A = "x" | "y";\nexport type B = C | "z";\n');
  expect(reportOf('export type A = "x" | "z";\nexport type B = C | "z";\n')).not.toBe(report);
  expect(reportOf('export type A = "x" | "y" | null;\nexport type B = C | "z";\n')).not.toBe(
    report,
  );
  expect(reportOf('export type A = "x" | "y";\nexport type B = "z" | C;\n')).not.toBe(report);
});
