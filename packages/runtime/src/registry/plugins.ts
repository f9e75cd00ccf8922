import { createHash } from "node:crypto";
import type { FunctionTable, RegisteredFunction } from "../ports.ts";

/** What is particular to one vendor, as functions that catalogs call by name (RUN-105). */
export interface Plugin {
  /** as its package is named */
  readonly name: string;
  readonly version: string;
  readonly functions: FunctionTable;
}

/** The functions of several plug-ins, as ports and loaders take them. */
export interface RegisteredPlugins {
  readonly functions: FunctionTable;
  /** names of the functions, sorted: what catalogs are checked against (MAP-020) */
  readonly functionNames: readonly string[];
  /** digest of names, versions and functions; null without plug-ins (SESS-13) */
  readonly generation: string | null;
}

/** Registers plug-ins; throws if two have a function of one name, which would depend on their order. */
export function registerPlugins(plugins: readonly Plugin[]): RegisteredPlugins {
  const functions = new Map<string, RegisteredFunction>();
  const owners = new Map<string, string>();
  for (const { name, functions: own } of plugins) {
    for (const [called, call] of own) {
      const other = owners.get(called);
      if (other !== undefined) {
        throw new Error(`plug-ins ${other} and ${name} both have a function ${called}`);
      }
      owners.set(called, name);
      functions.set(called, call);
    }
  }
  const facts = plugins.map(({ name, version, functions: own }) => [
    name,
    version,
    [...own.keys()].toSorted(),
  ]);
  const sorted = facts.map((each) => JSON.stringify(each)).toSorted();
  const generation =
    plugins.length === 0 ? null : createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
  return { functions, functionNames: [...functions.keys()].toSorted(), generation };
}
