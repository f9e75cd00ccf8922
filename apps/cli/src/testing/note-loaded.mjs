/** Given to Node by `--import`: notes which modules a process loads, in the file that NOTE_LOADED names. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load: (url, context, next) => {
    appendFileSync(process.env.NOTE_LOADED, `${url}\n`);
    return next(url, context);
  },
});
