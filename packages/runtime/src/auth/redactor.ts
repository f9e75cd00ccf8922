import { Buffer } from "node:buffer";

const MASK = "[redacted]";

/** Removes known secrets, raw, base64 and percent-encoded, from text (RUN-142). */
export interface Redactor {
  /** Makes a secret known for the rest of the run. */
  add(secret: string): void;
  redact(text: string): string;
}

function writings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const percent = encodeURIComponent(secret);
  return [
    secret,
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    percent,
    percent.replace(/%20/g, "+"),
    percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** A redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const known = new Set<string>();
  let longestFirst: readonly string[] = [];
  return Object.freeze({
    add(secret: string) {
      if (secret === "" || known.has(secret)) return;
      for (const text of writings(secret)) known.add(text);
      longestFirst = [...known].sort((a, b) => b.length - a.length);
    },
    redact: (text: string) =>
      longestFirst.reduce((clean, secret) => clean.replaceAll(secret, MASK), text),
  });
}
