import { visible } from "@plasm/core";

/** A JSON answer, in which no character acts on what shows it; the same JSON. */
export const jsonResponse = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(visible(JSON.stringify(value)), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

/** A text answer, for eyes and for models. */
export const textResponse = (
  text: string,
  type: "text/plain" | "text/markdown",
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(text.endsWith("\n") ? text : `${text}\n`, {
    status,
    headers: { "content-type": `${type}; charset=utf-8`, ...headers },
  });
