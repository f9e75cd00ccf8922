import type { SecretProvider } from "../../ports.ts";
import { MASK, maskTokens } from "./mask-tokens.ts";
import type { RecordedSecret } from "./recording-file.ts";

const isPlainAddress = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search === "";
};

/** The settings that are addresses; an address that is a secret itself is under any other name. */
const TOKEN_URL = /^PLASM_OAUTH_\w+_TOKEN_URL$/;

/** What a replay is given for a secret: nothing of it, but the terms of an envelope, or a token address. */
function masked(source: RecordedSecret["source"], name: string, value: string): string {
  const text = value.trim();
  if (source === "hosted" && text.startsWith("{")) return maskTokens(text);
  const isAddress = source === "env" && TOKEN_URL.test(name) && isPlainAddress(text);
  return text === "" || isAddress ? text : MASK;
}

type Note = (secret: RecordedSecret) => void;

/** Passes secrets through, and notes once which were there. */
export function notedSecrets(live: SecretProvider, note: Note): SecretProvider {
  const noted = new Set<string>();
  const tell = (source: RecordedSecret["source"], name: string, value: string): void => {
    const key = `${source} ${name}`;
    if (noted.has(key)) return;
    noted.add(key);
    note({ kind: "secret", source, name, value: masked(source, name, value) });
  };
  return Object.freeze({
    ...live,
    env(name: string) {
      const value = live.env(name);
      if (value !== undefined) tell("env", name, value);
      return value;
    },
    async hosted(key: string, scope: Parameters<SecretProvider["hosted"]>[1]) {
      const value = await live.hosted(key, scope);
      if (value !== undefined) tell("hosted", key, value);
      return value;
    },
  });
}

/** The secrets of a replay: those that were there when it was recorded, masked. No other is asked for. */
export function replayedSecrets(recorded: readonly RecordedSecret[]): SecretProvider {
  const find = (source: RecordedSecret["source"], wanted: string): string | undefined =>
    recorded.find((one) => one.source === source && one.name === wanted)?.value;
  return Object.freeze({
    env: (name: string) => find("env", name),
    hosted: (key: string) => Promise.resolve(find("hosted", key)),
  });
}
