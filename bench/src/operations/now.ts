/** Milliseconds on the machine's monotonic clock, which all its processes share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;
