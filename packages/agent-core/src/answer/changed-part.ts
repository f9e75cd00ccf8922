/** Two texts around what differs between them. */
export interface ChangedPart {
  readonly before: string;
  readonly after: string;
  /** characters before the first that differs */
  readonly at: number;
}

/** Characters on either side of a change that are shown with it. */
const AROUND = 24;

const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const isLead = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The middle of a text left out beyond `most` characters: an edit of many places begins and ends somewhere. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  let [head, tail] = [Math.ceil(most / 2), text.length - Math.floor(most / 2)];
  if (isTrail(text.charCodeAt(head))) head -= 1;
  if (isTrail(text.charCodeAt(tail))) tail += 1;
  return `${text.slice(0, head)}… (+${tail - head}) …${text.slice(tail)}`;
}

/**
 * Two texts cut around what differs, with a few characters on either side, each of `most` characters at most and the
 * signs of what is left out (LANG-056). Takes time in proportion to their lengths; pairs of surrogates stay whole.
 */
export function changedPart(before: string, after: string, most: number): ChangedPart {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  if (at > 0 && isLead(before.charCodeAt(at - 1))) at -= 1;
  let same = 0;
  while (
    same < shorter - at &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same += 1;
  if (same > 0 && isTrail(before.charCodeAt(before.length - same))) same -= 1;
  let from = Math.max(0, at - AROUND);
  if (isTrail(before.charCodeAt(from))) from += 1;
  let kept = Math.min(same, AROUND);
  if (isTrail(before.charCodeAt(before.length - kept))) kept -= 1;
  const part = (text: string): string => {
    const end = text.length - same + kept;
    const inner = shortened(text.slice(at, text.length - same), most);
    const tail = text.slice(text.length - same, end);
    return `${from > 0 ? "…" : ""}${text.slice(from, at)}${inner}${tail}${kept < same ? "…" : ""}`;
  };
  return { before: part(before), after: part(after), at };
}
