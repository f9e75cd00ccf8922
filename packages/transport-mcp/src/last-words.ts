/** Lines of a crash that say where it was, and no longer why, without what stands before them. */
const TRACE = /^(?:at |Node\.js v|node:|File "|Traceback|[~^])/;
const NAMES_ERROR = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b/;
const MOST_SAID = 300;
/** Where no error is named, a reason may stand some lines above the last one. */
const LAST_LINES = 6;

/** What a program said last that tells why it ended: the error that it names, else its last lines without a trace. */
export function lastWords(printed: string): string {
  const lines = printed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !TRACE.test(line));
  const named = lines.findLast((line) => NAMES_ERROR.test(line) && line.includes(":"));
  const last = named === undefined ? lines.slice(-LAST_LINES) : [named];
  return last.join(" ").slice(0, MOST_SAID);
}
