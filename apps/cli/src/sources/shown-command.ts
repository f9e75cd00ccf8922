import { parseArgsStringToArgv } from "string-argv";

/** What an option, a variable or a parameter is called whose value nobody may see. */
const SECRET =
  /(?:^|[-_.])(?:pass|passwd|password|pwd|pat|auth|authorization|credentials?|dsn|key|secret|token|bearer)$|(?:password|secret|token|apikey|accesskey)$/i;

const HIDDEN = "***";

/** The same without a password in an address, and without values of parameters that are secrets. */
function addressText(word: string): string {
  return word
    .replaceAll(/(?<=:\/\/[^\s/:@]{0,200}:)[^\s/@]+(?=@)/g, HIDDEN)
    .replaceAll(/(?<=[?&;])([\w.-]+)=([^&;\s]+)/g, (all, name: string) =>
      SECRET.test(name) ? `${name}=${HIDDEN}` : all,
    );
}

/** A word as it is shown; `follows` says whether it is the value of an option that is a secret. */
function shownWord(word: string, follows: boolean): string {
  const plain = addressText(word).replace(/\b(Bearer|Basic)\s+\S+/i, `$1 ${HIDDEN}`);
  // An address says itself what of it is a secret.
  if (plain !== word || /:\/\//.test(word)) {
    const [, header] = /^([A-Za-z][\w-]*):\s/.exec(word) ?? [];
    return header !== undefined && SECRET.test(header) ? `${header}: ${HIDDEN}` : plain;
  }
  if (follows && !word.startsWith("-")) return HIDDEN;
  const [, name] = /^(-{0,2}[A-Za-z][\w.-]*[=:])/.exec(word) ?? [];
  return name !== undefined && SECRET.test(name.slice(0, -1)) ? `${name}${HIDDEN}` : word;
}

/** An option that is a secret, and whose value follows. */
const isSecretOption = (word: string | undefined): boolean =>
  word !== undefined && /^-[\w.-]+$/.test(word) && SECRET.test(word);

/**
 * A command, or the address of a server, as a person may see it and a record may keep it: values of options, variables and
 * parameters whose names say that they are secrets, and passwords in addresses, are hidden.
 */
export function shownCommand(from: string): string {
  const words = parseArgsStringToArgv(from);
  const shown = words.map((word, at) => shownWord(word, isSecretOption(words[at - 1])));
  if (shown.join(" ") === words.join(" ")) return from;
  return shown.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
}
