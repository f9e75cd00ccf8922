const DAY = 86_400_000;
const UNITS = { m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY } as const;

/** What a relative date is at an instant, in UTC: a day, or a time for `now` and hours (LANG-043). */
export function relativeDate(text: string, now: number): string {
  const match = /^(now|today|yesterday|tomorrow)(?:([+-])(\d+)([mhdw]))?$/.exec(text);
  const base = match?.[1] ?? "now";
  const days = { now: 0, today: 0, yesterday: -1, tomorrow: 1 } as const;
  const start =
    base === "now" ? now : Math.floor(now / DAY) * DAY + days[base as keyof typeof days] * DAY;
  const unit = (match?.[4] ?? "d") as keyof typeof UNITS;
  const shift = Number(match?.[3] ?? 0) * UNITS[unit] * (match?.[2] === "-" ? -1 : 1);
  const ms = start + shift;
  if (Math.abs(ms) > 8.64e15) return "out of range";
  const iso = new Date(ms).toISOString();
  return ms % DAY === 0 && base !== "now" ? iso.slice(0, 10) : iso.replace(/\.\d+Z$/, "Z");
}
