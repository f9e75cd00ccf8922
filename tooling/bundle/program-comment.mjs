/** What the program of a bundle begins with, in the file; `loader.mjs` looks for it. */
export const OPENING = "/*# program\n";

/** The end of a comment, as it stands inside of one; `loader.mjs` turns it back. */
const ENDING = "*~~~/";

/** Code as it can stand in a comment. Throws if it could not be told apart from what it is written as. */
export const inComment = (code) => {
  for (const reserved of [OPENING.trimEnd(), ENDING]) {
    if (code.includes(reserved)) throw new Error(`the program holds ${reserved}`);
  }
  // oxlint-disable-next-line no-control-regex
  if (/[^\x00-\x7f]/.test(code)) throw new Error("the program is not ASCII");
  return code.replaceAll("*/", ENDING);
};
