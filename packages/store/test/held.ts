/** Counts what a database of the store holds. */
export const HELD = `select kind as name, count(*) as count from records group by kind
  union all select 'counters', count(*) from counters
  union all select 'slots', count(*) from slots
  union all select 'sessions', count(*) from execute_sessions
  union all select 'waves', count(*) from waves
  union all select 'catalogs', count(*) from catalogs
  union all select 'blobs', count(*) from blobs`;

/** Names with their counts; what there is none of is left out. */
export const heldIn = (
  rows: readonly Readonly<Record<string, unknown>>[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    rows
      .map(({ name, count }): readonly [string, number] => [String(name), Number(count)])
      .filter(([, count]) => count > 0),
  );
