/** The end of a comment, as it stands in the program; `loader.mjs` turns it back. */
const END = "*~~~/";

/**
 * A program, or the part of this name, in a comment: the text, and where in it the code lies. Throws if it could not be told
 * apart from what it is written as.
 */
export const commented = (name, code) => {
  if (code.includes(END)) throw new Error(`the program holds ${END}`);
  // oxlint-disable-next-line no-control-regex
  const [place, other] = /.{0,30}([^\x00-\x0c\x0e-\x7f]).{0,30}/.exec(code) ?? [];
  if (other !== undefined) {
    const escape = `\\u${other.charCodeAt(0).toString(16).padStart(4, "0")}`;
    throw new Error(
      `the program holds ${JSON.stringify(other)}, in ${place}: esbuild escapes texts, not regular expressions; write ${escape} there`,
    );
  }
  const opening = name === "" ? "/* program\n" : `/* part ${name}\n`;
  const written = code.replaceAll("*/", END);
  return {
    text: `${opening}${written}\n*/\n`,
    start: opening.length,
    end: opening.length + written.length,
  };
};
