/** What identifies an entity everywhere: its catalog and its name (SESS-21, RUN-001). */
export interface EntityKey {
  readonly entryId: string;
  readonly entity: string;
}
