import { accessSync, constants, mkdirSync } from "node:fs";
import { StartError } from "../../apps/sample-apis/src/index.ts";

/** Makes the data directory if it is missing. Throws StartError if it cannot be written. */
export const prepareDataDirectory = (path) => {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new StartError(
      `The data directory ${path} cannot be used: ${error.message}. Choose a writable directory with --data DIR.`,
    );
  }
};
