import { nearestName } from "../diagnostics/nearest-name.ts";
import type { Catalog } from "../mapping/catalog.ts";
import { effectKind } from "./may-use.ts";
import type { ApiPolicy } from "./policy.ts";
import type { Policies } from "./read-policies.ts";

const KINDS: readonly string[] = ["create", "update", "delete", "action", "all"];

function unknownName(name: string, catalog: Catalog, more: readonly string[]): string {
  const known = [...catalog.cgs.capabilities.keys(), ...more];
  const near = nearestName(name, known);
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  return `${catalog.entryId} has no capability ${name}.${guess}`;
}

function operatorFault(name: string, catalog: Catalog): string | null {
  if (KINDS.includes(name)) return null;
  const capability = catalog.cgs.capabilities.get(name);
  if (capability === undefined) return unknownName(name, catalog, KINDS);
  if (effectKind(capability.kind) !== null) return null;
  return `${name} of ${catalog.entryId} changes nothing; operators approve effects only.`;
}

function faultsOf(api: ApiPolicy, place: string, catalog: Catalog): readonly string[] {
  const { deny = [], approval } = api;
  const denied = deny.map((name, index) => {
    const known = catalog.cgs.capabilities.has(name);
    return known ? null : `${place}.deny[${index}]: ${unknownName(name, catalog, [])}`;
  });
  const operator = approval?.operator ?? [];
  const approved = (operator === "all" ? [] : operator).map((name, index) => {
    const wrong = operatorFault(name, catalog);
    return wrong === null ? null : `${place}.approval.operator[${index}]: ${wrong}`;
  });
  return [...denied, ...approved].filter((one) => one !== null);
}

/**
 * What policies name that these catalogs do not have, each with its place: a misspelt name would
 * forbid, or hold back, nothing. Catalogs that are not among them are not judged.
 */
export function policyNameFaults(
  { tenants, default: others }: Policies,
  catalogs: Iterable<Catalog>,
): readonly string[] {
  const known = [...catalogs];
  const placed = [
    ...Object.entries(tenants).map(([name, policy]) => [`tenants.${name}`, policy] as const),
    ["default", others] as const,
  ];
  return placed.flatMap(([place, { apis = {} }]) =>
    known.flatMap((catalog) => {
      const { entryId } = catalog;
      const api = Object.hasOwn(apis, entryId) ? apis[entryId] : undefined;
      return api === undefined ? [] : faultsOf(api, `${place}.apis.${entryId}`, catalog);
    }),
  );
}
