/** The parts of an absolute http(s) URL that rules look at. */
export interface HttpUrl {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly path: string;
}

const FORM =
  /^(https?):\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?(\/[^?#\s\p{Cc}\\]*)?$/iu;

/** An absolute http(s) URL without user, query and fragment, or null (CAT-020). */
export function parseHttpUrl(text: string): HttpUrl | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, scheme = "", host = "", port = "0", path = ""] = match;
  if (Number(port) > 65_535) return null;
  return { scheme: scheme.toLowerCase() === "https" ? "https" : "http", host, path };
}
