import { HOSTILE_KEYS } from "./hostile-keys.ts";

/** A boat as quay's API gives it, with a text in every field, and every hostile key in its free data. */
export const hostileBoat = (text: string) => ({
  id: text,
  name: text,
  owner: text,
  state: text,
  built: text,
  note: text,
  flags: [text],
  meta: { ...Object.fromEntries(HOSTILE_KEYS.map((key) => [key, text])), [text]: [text] },
});
