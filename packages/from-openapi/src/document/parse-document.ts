import { LineCounter, parseDocument } from "yaml";
import { OpenApiError } from "../open-api-error.ts";

/**
 * What the text of an OpenAPI document holds, in JSON or YAML. Throws OpenApiError, which says where the
 * text breaks off from both.
 */
export function parseOpenApi(text: string): unknown {
  if (/^\uFEFF?\s*\{/.test(text)) {
    try {
      return JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch {
      // Braces begin YAML, too; where this is neither, that reader says where.
    }
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: "silent" });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lineCounter.linePos(fault.pos[0]);
    throw new OpenApiError(
      `The document is neither JSON nor YAML: ${line}:${col}: ${fault.message}`,
    );
  }
  try {
    return document.toJS();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new OpenApiError(`The document is no YAML that can be read: ${said}`, { cause: error });
  }
}
