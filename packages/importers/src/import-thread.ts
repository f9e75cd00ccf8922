import {
  catalogFromText,
  type FromTextOptions,
  type MadeCatalog,
  type TextToTake,
} from "./catalog-from-text.ts";
import { OpenApiError } from "./open-api-error.ts";

/** What a thread is asked that makes a catalog. */
export interface ImportRequest {
  /** emptied when it is taken */
  text: string;
  readonly options: FromTextOptions;
}

/** What it answers: the catalog, or why there is none. */
export type ImportAnswer =
  | { readonly kind: "made"; readonly made: MadeCatalog }
  | { readonly kind: "refused"; readonly message: string };

/** The end of a channel that a thread has. */
export interface ImportPort {
  once(event: "message", listener: (request: ImportRequest) => void): unknown;
  postMessage(answer: ImportAnswer): void;
}

/**
 * Answers one ImportRequest, in a thread of its own: what a large document takes goes with the thread, and nothing else
 * waits for it. What is no OpenApiError ends the thread.
 */
export function answerImport(port: ImportPort): void {
  port.once("message", (request) => {
    void answered(taking(request), request.options).then((answer) => port.postMessage(answer));
  });
}

/** The text of a request, which lets go of it. */
function taking(request: ImportRequest): TextToTake {
  return {
    take() {
      const { text } = request;
      request.text = "";
      return text;
    },
  };
}

async function answered(text: TextToTake, options: FromTextOptions): Promise<ImportAnswer> {
  try {
    return { kind: "made", made: await catalogFromText(text, options) };
  } catch (thrown) {
    if (!(thrown instanceof OpenApiError)) throw thrown;
    return { kind: "refused", message: thrown.message };
  }
}
