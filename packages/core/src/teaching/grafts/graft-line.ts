import { compareCodePoints } from "../../text/compare-code-points.ts";

/** A graft as the index shows it: texts cleaned (GRAFT-6). */
export interface IndexedGraft {
  readonly graftId: string;
  readonly source: string;
  readonly path: string;
  readonly abstract: string;
  readonly revision: number;
}

/** The order of the index: by path, then id, by code point (GRAFT-7). */
export const compareGrafts = (a: IndexedGraft, b: IndexedGraft): number =>
  compareCodePoints(a.path, b.path) || compareCodePoints(a.graftId, b.graftId);

/** The line of a graft: 20 bytes more than its id, source, path and abstract, line end included (GRAFT-6, GRAFT-7). */
export const graftLine = ({ graftId, source, path, abstract }: IndexedGraft): string =>
  `- \`${graftId}\` · ${source} · \`${path}\` — ${abstract}`;

/** The line of a graft whose content is another one than before (GRAFT-10). */
export const changedGraftLine = ({ graftId, revision, ...graft }: IndexedGraft): string => {
  const { source, path, abstract } = graft;
  return `- \`${graftId}\` (revision ${revision}) · ${source} · \`${path}\` — ${abstract}`;
};
