import { canonicalJson, type ProjectedOverlay, sha256Hex } from "@plasm/core";

/** What changes a catalog beyond its files. */
export interface DigestParts {
  readonly base: string;
  /** the deployment's backend, or null for the catalog's own */
  readonly backend: string | null;
  readonly overlay: ProjectedOverlay | null;
}

/** The digest that waves, plan nodes, cursors, caches and snapshots carry (RUN-171). */
export function effectiveDigest({ base, backend, overlay }: DigestParts): string {
  if (backend === null && overlay === null) return base;
  return `sha256:${sha256Hex(canonicalJson({ base, backend, overlay }))}`;
}
