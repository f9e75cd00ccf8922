import { directory } from "./directory-option.ts";

/** The option of commands that work on what a server of this machine keeps, for `Command.option`. */
export const DATA_OPTION = [
  "--data <directory>",
  "data directory of the server (default: $PLASM_DATA, else ~/.local/share/plasm)",
  directory,
] as const;
