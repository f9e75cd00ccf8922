/** A time as answers write it (RFC 3339, UTC). */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** The same of what may not have happened. */
export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms);

/** The same to the second: when plans expire and approvals happened, which people read. */
export const isoSeconds = (ms: number): string => isoTime(ms).replace(/\.\d{3}Z$/, "Z");
