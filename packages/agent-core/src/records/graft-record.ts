import type { GraftHeader, IndexedGraft } from "@plasm/core";

/** A document attached to a session, as its index shows it; its content is a blob (GRAFT-1). */
export interface GraftRecord extends IndexedGraft {
  readonly mime: string;
  /** of the content's UTF-8 */
  readonly sha256: string;
  readonly bytes: number;
  /** the set's revision that brought this content (GRAFT-10) */
  readonly setRevision: number;
}

/** The grafts of one subject in one session, but for the grafts themselves (GRAFT-1). */
export interface GraftSetRecord {
  /** null until something was attached */
  readonly header: GraftHeader | null;
  /** 0 until something was attached; one more with each change */
  readonly revision: number;
  /** the revision that context answers have shown (GRAFT-10) */
  readonly shown: number;
  /** the provider has answered (GRAFT-2) */
  readonly asked: boolean;
  /** until when a process that asks it may take, by the store's clock in ms */
  readonly askingUntil: number;
}
