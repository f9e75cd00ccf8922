import type { Capability, Catalog, Entity, JsonObject } from "@plasm/core";
import {
  evaluateTemplate,
  parseTemplate,
  type ProjectedScope,
  type TemplateTree,
} from "@plasm/core/internal";
import { failure, RunFailure } from "../base/run-failure.ts";

/** RUN-101's limits of a catalog's templates. */
const LIMITS = Object.freeze({ steps: 100_000, output: 262_144 });

const NAMES = Object.freeze({ row: null, parent: null, field: null, field_key: null, ambient: {} });

const IDENTIFIER = "{{ field | sanitize_identifier }}";

const MOST_LETTERS = 64;

const trees = new Map<string, TemplateTree>();

function treeOf(text: string): TemplateTree {
  const known = trees.get(text);
  if (known !== undefined) return known;
  const { template } = parseTemplate(text);
  if (template === null) throw new Error("a loaded overlay has a template that does not parse");
  trees.set(text, template);
  return template;
}

/** The text of a template, or what is wrong with it over these names (RUN-101). */
function tryTemplate(
  text: string,
  names: JsonObject,
): { readonly text: string } | { readonly problem: string } {
  const outcome = evaluateTemplate(treeOf(text), { ...NAMES, ...names }, LIMITS);
  return outcome.ok ? { text: outcome.text } : { problem: outcome.message };
}

/** The text of a template; `where` names its place in the overlay. Throws RunFailure. */
export function overlayText(text: string, names: JsonObject, where: string): string {
  const outcome = tryTemplate(text, names);
  if ("text" in outcome) return outcome.text;
  throw new RunFailure(
    failure(
      "template_failed",
      `Template ${where} of the schema overlay: ${outcome.problem}`,
      "correct the template in the catalog, for instance with default(…) or an if",
    ),
  );
}

/** A name of the API as an identifier of at most 64 characters: no other enters a prompt (RUN-143). */
export const identifierOf = (name: string): string =>
  overlayText(IDENTIFIER, { field: name }, "of a name").slice(0, MOST_LETTERS);

/** What rows of a read are: their entity, and what its static fields hold. */
interface RowScope {
  readonly entity: Entity;
  readonly statics: JsonObject | null;
}

/**
 * The entity that the rows of a read are decoded as (RUN-103): of an overlay's own capabilities its entity;
 * of a listed capability, the entity whose scope key the rows' ambient renders; else the capability's own.
 */
export function rowScope(catalog: Catalog, capability: Capability, ambient: JsonObject): RowScope {
  const scope = scopeOf(catalog, capability, ambient);
  const entity = catalog.cgs.entities.get(scope?.entity ?? capability.entity);
  if (entity === undefined) throw new Error(`no entity ${capability.entity}`);
  return { entity, statics: scope?.statics ?? null };
}

function scopeOf(
  { cgs, overlay }: Catalog,
  capability: Capability,
  ambient: JsonObject,
): ProjectedScope | undefined {
  const rule = cgs.overlay;
  if (overlay === undefined || rule === undefined) return undefined;
  const template = rule.entity.fromTemplate;
  if (capability.entity !== template) {
    return overlay.scopes.find(({ entity }) => entity === capability.entity);
  }
  const listed = rule.decode?.capabilities ?? [];
  if (rule.decode === undefined) return undefined;
  if (listed.length > 0 && !listed.includes(capability.name)) return undefined;
  const key = tryTemplate(rule.decode.scopeKey, { ambient });
  return "text" in key ? overlay.scopes.find((scope) => scope.key === key.text) : undefined;
}
