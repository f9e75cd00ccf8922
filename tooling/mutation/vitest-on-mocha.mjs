/**
 * Stands for `vitest` in the bundle of tests that mutants are tried on. Mocha keeps the tests loaded between
 * mutants, which vitest does not: a mutant costs milliseconds. Titles are numbered, for results are by title.
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from "@vitest/expect";
import * as chai from "chai";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

const asserting = (value, message) => chai.expect(value, message);
export const expect = Object.assign(asserting, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
globalThis[GLOBAL_EXPECT] = expect;

let count = 0;
const numbered = (name) => `${name} [${++count}]`;
const rowsOf = (rows) => rows.map((row) => (Array.isArray(row) ? row : [row]));

const withEach = (define) =>
  Object.assign(define, {
    each: (rows) => (name, body) => {
      for (const row of rowsOf(rows)) define(name, () => body(...row));
    },
    for: (rows) => (name, body) => {
      for (const row of rows) define(name, () => body(row));
    },
  });

export const describe = withEach((name, body) => globalThis.describe(numbered(name), body));
const defineTest = withEach((name, ...rest) => {
  const body = rest.find((part) => typeof part === "function");
  return globalThis.it(numbered(name), async () => {
    await body();
  });
});
export { defineTest as it, defineTest as test };
export const beforeAll = (body) => globalThis.before(body);
export const afterAll = (body) => globalThis.after(body);
export const beforeEach = (body) => globalThis.beforeEach(body);
export const afterEach = (body) => globalThis.afterEach(body);
