import { apiText } from "./api-text.ts";
import { markupText } from "./markup-text.ts";
import type { ResponseBody } from "./response-body.ts";

/** Bytes or characters of a body that is no JSON, of which its text is made. */
const MOST = 4096;

/** What an API says in a body of any kind, cleaned and redacted; null where it says nothing (RUN-039). */
export function bodyText(body: ResponseBody, redact: (text: string) => string): string | null {
  switch (body.kind) {
    case "json":
      return apiText(body.value, redact);
    case "markup":
      return apiText(markupText(body.text), redact);
    case "broken":
      return apiText(body.text.slice(0, MOST), redact);
    case "other":
      return body.mediaType.startsWith("text/")
        ? apiText(new TextDecoder().decode(body.bytes.slice(0, MOST)), redact)
        : null;
  }
}
