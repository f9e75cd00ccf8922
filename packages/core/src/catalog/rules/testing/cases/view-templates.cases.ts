import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

interface Templates {
  /** Computed binds of the second node's parameter, and computed outputs. */
  readonly bind?: string;
  readonly slug?: string;
  /** Spelling of the key of the first of them. */
  readonly key?: string;
  readonly more?: string;
}

export const computed = (template: string): string => `{kind: computed, template: ${template}}`;

/** A view with a computed bind and a computed output. */
export const view = (templates: Templates): CatalogPatch => ({
  entities: `Today:
  id_field: depot
  fields: {depot: {value_ref: text}, n: {value_ref: count}, slug: {value_ref: text}, more: {value_ref: text}}
  relations: {parcels: {target: Parcel, cardinality: many}}`,
  capabilities:
    "today_query: {kind: query, entity: Today, parameters: [{name: depot, value_ref: text, required: true}]}",
  mappings: "today_query: {transport: view, view: today}",
  top: `views:
  today:
    capability: today_query
    entity: Today
    scope: [{name: depot, value_ref: text, required: true}]
    nodes:
      - {id: open, capability: parcel_query, bind: {depot: {kind: scope, param: depot}}}
      - {id: late, capability: parcel_query, bind: {depot: ${computed(templates.bind ?? '"{{ open.depot | default(depot) }}{{ nodes.open | length }}"')}}}
    output:
      depot: {kind: scope, param: depot}
      n: {kind: node_row_count, node: open}
      ${templates.key ?? "slug"}: ${computed(templates.slug ?? `"{{ 'busy' if n > 20 else depot | lower }}"`)}
      more: ${computed(templates.more ?? '"{{ slug }}"')}
    relation_outputs: [{relation: parcels, target: Parcel, cardinality: many, binding: {kind: node_all_rows, node: open}}]`,
});

const BIND = "views.today.nodes[1].bind.depot.template";

const SLUG = "views.today.output.slug.template";

/** Faults of CAT-123, CAT-126. */
export const viewTemplatesCases: readonly BrokenCase[] = [
  {
    rule: "CAT-126",
    when: "a blank template",
    patch: view({ slug: '«"  "»' }),
    at: SLUG,
    says: ["blank", "1:1"],
  },
  {
    rule: "CAT-126",
    when: "a template too long",
    patch: view({ slug: `«"${"x".repeat(32_769)}"»` }),
    at: SLUG,
    says: ["32769", "at most 32768"],
  },
  {
    rule: "CAT-126",
    when: "a template that does not parse, its place in lines and columns",
    patch: view({ slug: '«"é\\n {{ depot | }}"»' }),
    at: SLUG,
    says: ["Template 2:13", "Allowed after |", "lower, upper, trim"],
  },
  {
    rule: "CAT-126",
    when: "an unknown filter",
    patch: view({ bind: '«"{{ depot | uper }}"»' }),
    at: BIND,
    says: ["Template 1:12", "no filter uper", "(nearest: upper)"],
  },
  {
    rule: "CAT-126",
    when: "a construct that is not allowed",
    patch: view({ slug: "«\"{% include 'x' %}\"»" }),
    at: SLUG,
    says: ["Template 1:4", "no tag include"],
  },
  {
    rule: "CAT-126",
    when: "an unknown name in an output",
    patch: view({ slug: '«"{{ depott }}"»' }),
    at: SLUG,
    says: ["Template 1:4", "no name depott", "(nearest: depot)", "depot, n, slug, more"],
  },
  {
    rule: "CAT-126",
    when: "a node in an output",
    patch: view({ slug: '«"{{ open.depot }}"»' }),
    at: SLUG,
    says: ["no name open"],
  },
  {
    rule: "CAT-126",
    when: "an output in a bind",
    patch: view({ bind: '«"{{ slug }}"»' }),
    at: BIND,
    says: ["no name slug", "depot, open, nodes"],
  },
  {
    rule: "CAT-126",
    when: "a node that is not before this one",
    patch: view({ bind: '«"{{ late.depot }}"»' }),
    at: BIND,
    says: ["no name late"],
  },
  {
    rule: "CAT-126",
    when: "nodes of a node that is not before this one",
    patch: view({ bind: '«"{{ nodes.late | length }}"»' }),
    at: BIND,
    says: ["Template 1:10", "nodes has no late", "open"],
  },
  {
    rule: "CAT-123",
    when: "outputs whose templates need each other",
    patch: view({ key: "«slug»", slug: '"{{ more }}"' }),
    at: "views.today.output.slug",
    says: ["slug → more → slug"],
  },
];
