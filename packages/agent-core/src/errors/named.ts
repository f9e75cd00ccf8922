import { visible } from "@plasm/core";

/** Code points: the longest URI there is fits. */
const MOST = 240;

/** A name that a caller gave, as an error repeats it: on one line, and its beginning will do to know it by. */
export const named = (text: string): string => {
  if (text.length <= MOST) return visible(text);
  const points = Array.from(text.slice(0, 2 * MOST)).slice(0, MOST);
  return `${visible(points.join(""))}… (${text.length} characters)`;
};
