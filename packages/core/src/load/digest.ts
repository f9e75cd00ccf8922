import { canonicalJson } from "../hash/canonical-json.ts";
import { sha256Hex } from "../hash/sha256-hex.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { dropContextualDefaults } from "./digest-defaults.ts";
import { domain, type DomainDoc } from "./format/domain-shape.ts";
import { template, type TemplateDoc } from "./format/template-shape.ts";

/** The long form of a catalog that its digest is made of, without keys equal to their default. */
interface CanonicalCatalog {
  readonly format: 1;
  readonly cgs: Json;
  readonly cml: Json;
}

/** The canonical form of both files (RUN-170). */
function canonicalCatalog(
  doc: DomainDoc,
  mappings: ReadonlyMap<string, TemplateDoc>,
): CanonicalCatalog {
  const cgs = dropContextualDefaults(domain.canonical(doc) as JsonObject, doc);
  const cml = Object.fromEntries(
    [...mappings].map(([name, each]) => [name, template.canonical(each)] as const),
  );
  return { format: 1, cgs, cml };
}

/**
 * `sha256:` and the hash of a catalog's canonical form (RUN-170): of what is loaded, and of the names of what
 * was left out.
 */
export function catalogDigest(
  doc: DomainDoc,
  mappings: ReadonlyMap<string, TemplateDoc>,
  dropped: readonly string[] = [],
): string {
  const canonical = canonicalCatalog(doc, mappings);
  const whole =
    dropped.length === 0
      ? canonical
      : { ...canonical, dropped: [...dropped].sort(compareCodePoints) };
  return `sha256:${sha256Hex(canonicalJson({ ...whole }))}`;
}
