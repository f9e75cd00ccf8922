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

const shared = `interface A { readonly b: B$1; }
type B$1 = "x";
interface Internal { readonly a: A; }
export type { A as a, Internal as i };
`;
const reportWith = (declarations, other = shared) =>
  apiReport("@plasm/x", declarations, () => other);

test("of a file that two entries share, a report holds what its entry leads to, by its own names", () => {
  const report = reportWith(
    "import { a as A } from './s-1.js';\nexport { a as A } from './s-1.js';\n",
  );
  expect(report).toContain("interface A {\n    readonly b: B;\n}\n\ntype B =");
  expect(report).toContain("export { A };");
  expect(report).not.toContain("Internal");
});

test("the file's name, the letters it exports by and what another entry has of it change nothing", () => {
  const report = reportWith("export { a as A } from './s-1.js';\n");
  const letters = shared.replace("A as a, Internal as i", "A as z").replaceAll("B$1", "B$2");
  expect(reportWith("export { z as A } from './s-2.js';\n", letters)).toBe(report);
  const changed = shared.replace('"x"', '"y"');
  expect(reportWith("export { a as A } from './s-1.js';\n", changed)).not.toBe(report);
});

test("a declaration of the entry names a shared one as its own file does", () => {
  const report = reportWith("import { a as Y } from './s-1.js';\nexport declare const y: Y;\n");
  expect(report).toContain("export declare const y: A;");
  expect(report).toContain("interface A {");
});
