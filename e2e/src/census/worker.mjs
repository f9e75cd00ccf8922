/** Measures documents that the main thread names, one after the other. */
import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { measure } from "./measure.mjs";

const answer = async ({ file, entryId }) => {
  try {
    parentPort.postMessage(await measure(readFileSync(file, "utf8"), entryId));
  } catch (error) {
    parentPort.postMessage({ thrown: String(error?.stack ?? error).slice(0, 400) });
  }
};

parentPort.on("message", (asked) => void answer(asked));
