/** The placeholders of a message text, each to be given as text or number. */
export type MessageParams<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string | number } & MessageParams<Rest>
  : unknown;

/** One code: its severity and its texts by variant. Placeholders stand in braces. */
export interface MessageSpec {
  readonly severity: "error" | "warning";
  readonly texts: Readonly<Record<string, string>>;
  /** Variants that are only warnings though the code is an error. */
  readonly warns?: readonly string[];
}

/** A message text with its placeholders filled in. */
export function fillMessage(
  text: string,
  params: Readonly<Record<string, string | number>>,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
