/** What one look of the doctor found. */
export interface Finding {
  readonly state: "ok" | "note" | "wrong";
  readonly text: string;
}

export const ok = (text: string): Finding => ({ state: "ok", text });
export const note = (text: string): Finding => ({ state: "note", text });
export const wrong = (text: string): Finding => ({ state: "wrong", text });

/** `ok     server …`, further lines set in. */
export const findingText = ({ state, text }: Finding): string =>
  `${state.padEnd(6)} ${text.replaceAll("\n", "\n       ")}`;
