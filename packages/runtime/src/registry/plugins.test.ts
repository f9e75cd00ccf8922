import { expect, test } from "vitest";
import { type Plugin, registerPlugins } from "./plugins.ts";

const one = (): { readonly value: number } => ({ value: 1 });
const plugin = (name: string, version: string, ...names: readonly string[]): Plugin => ({
  name,
  version,
  functions: new Map(names.map((each) => [each, one])),
});

test("RUN-105: the functions of all plug-ins by name", () => {
  const { functions, functionNames } = registerPlugins([
    plugin("b", "1.0.0", "sign", "hash"),
    plugin("a", "1.0.0", "fold"),
  ]);
  expect([...functions.keys()]).toEqual(["sign", "hash", "fold"]);
  expect(functionNames).toEqual(["fold", "hash", "sign"]);
});

test("two of one name are refused, both plug-ins named", () => {
  const both = [plugin("a", "1.0.0", "sign"), plugin("b", "1.0.0", "sign")];
  expect(() => registerPlugins(both)).toThrow("plug-ins a and b both have a function sign");
});

test("SESS-13: the generation is null without plug-ins, and depends on name, version and functions alone", () => {
  const generation = (...plugins: readonly Plugin[]) => registerPlugins(plugins).generation;
  const known = generation(plugin("a", "1.0.0", "f", "g"), plugin("b", "2.0.0", "h"));
  expect(generation()).toBeNull();
  expect(known).toMatch(/^[0-9a-f]{64}$/);
  expect(generation(plugin("b", "2.0.0", "h"), plugin("a", "1.0.0", "g", "f"))).toBe(known);
  expect(generation(plugin("a", "1.0.1", "f", "g"), plugin("b", "2.0.0", "h"))).not.toBe(known);
  expect(generation(plugin("a", "1.0.0", "f"), plugin("b", "2.0.0", "h"))).not.toBe(known);
});
