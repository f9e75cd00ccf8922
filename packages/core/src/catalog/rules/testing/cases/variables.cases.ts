import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

export const search = (parameters: string, query: string): CatalogPatch => ({
  capabilities: `parcel_x: {kind: search, entity: Parcel, parameters: [${parameters}]}`,
  mappings: `parcel_x: {method: GET, path: [{type: literal, value: x}], query: {type: object, fields: [${query}]}}`,
});

export const q = "{name: q, value_ref: text, required: true}";

export const v = (name: string): string => `[k, {type: var, name: ${name}}]`;

/** Faults of MAP-003, MAP-004. */
export const variablesCases: readonly BrokenCase[] = [
  {
    rule: "MAP-003",
    when: "a variable that nothing binds",
    patch: search(q, `${v("q")}, ${v("«qq»")}`),
    at: "parcel_x.query.fields[1][1].name",
    says: ["qq", "(nearest: q)", "share_token"],
    severity: "warning",
  },
  {
    rule: "MAP-003",
    when: "an identity outside an operation that has one",
    patch: search(q, `${v("q")}, ${v("«id_of»")}`),
    at: "parcel_x.query.fields[1][1].name",
    says: ["id_of"],
    severity: "warning",
  },
  {
    rule: "MAP-004",
    when: "a parameter that nothing reads",
    patch: {
      ...search(`${q}, {name: extra, value_ref: text}`, v("q")),
      mappings:
        "«parcel_x»: {method: GET, path: [{type: literal, value: x}], query: {type: object, fields: [[k, {type: var, name: q}]]}}",
    },
    at: "parcel_x",
    says: ["extra", "domain.yaml:27:108"],
    severity: "warning",
  },
];
