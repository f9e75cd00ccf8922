/** The beginning of a long comment, as it stands in the program: tools that look for those take no harm. */
const LONG = "/~~~*";

/**
 * A program, or the part of this name, as lines of comments, which `loader.mjs` turns back: the text, and where in it the code
 * lies. Throws if it could not be told apart from what it is written as.
 */
export const commented = (name, code) => {
  if (code.includes(LONG)) throw new Error(`the program holds ${LONG}`);
  // oxlint-disable-next-line no-control-regex
  const [place, other] = /.{0,30}([^\x00-\x0c\x0e-\x7f]).{0,30}/.exec(code) ?? [];
  if (other !== undefined) {
    const escape = `\\u${other.charCodeAt(0).toString(16).padStart(4, "0")}`;
    throw new Error(
      `the program holds ${JSON.stringify(other)}, in ${place}: esbuild escapes texts, not regular expressions; write ${escape} there`,
    );
  }
  const opening = name === "" ? "//# program\n" : `//# part ${name}\n`;
  const lines = code.replaceAll("/*", LONG).split("\n");
  const written = lines.map((line) => `//${line}`).join("\n");
  return {
    text: `${opening}${written}\n`,
    start: opening.length,
    end: opening.length + written.length,
  };
};
