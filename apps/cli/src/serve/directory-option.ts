import { InvalidArgumentError } from "commander";

/** The value of an option that names a directory: `--data=$DIR` with nothing in DIR is a mistake. */
export function directory(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It is empty. Name a directory.");
}
