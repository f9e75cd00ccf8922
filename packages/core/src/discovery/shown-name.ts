import { clip } from "../text/clip.ts";
import { visible } from "../text/visible.ts";

/** Code points of a name that a caller gave, as a message repeats it. */
const LONGEST_SHOWN = 240;

/** A name that a caller gave, as a message repeats it: on one line, without signs that act, cut where it is long. */
export const shownName = (name: string): string => visible(clip(name, LONGEST_SHOWN));
