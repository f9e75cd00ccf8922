/** At most `limit` code points of a text, the last of them `…` if something was cut. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = Array.from(text.slice(0, 2 * limit + 2));
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join("")}…`;
}
