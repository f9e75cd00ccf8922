import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { BodyDescription, PartDescription } from "@plasm/core";
import { failure, RunFailure } from "../run-failure.ts";

/** A body as bytes, with its Content-Type. */
export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8");

/** Form encoding: a blank is `+`. */
function formText(pairs: readonly (readonly [string, string])[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of pairs) form.append(name, value);
  return form.toString();
}

const quoted = (text: string): string =>
  `"${text.replace(/[\r\n"]/g, (character) => encodeURIComponent(character))}"`;

function partHead(part: PartDescription): string {
  const file = part.kind === "attachment" ? `; filename=${quoted(part.fileName)}` : "";
  const type = part.contentType === undefined ? "" : `\r\nContent-Type: ${part.contentType}`;
  return `Content-Disposition: form-data; name=${quoted(part.name)}${file}${type}\r\n\r\n`;
}

function partBytes(part: PartDescription): Uint8Array {
  switch (part.kind) {
    case "text":
      return utf8(part.text);
    case "json":
      return utf8(JSON.stringify(part.value));
    case "attachment": {
      const { bytesBase64 } = part.source;
      if (bytesBase64 !== undefined) return Buffer.from(bytesBase64, "base64");
      throw new RunFailure(
        failure(
          "argument_invalid",
          `${part.name} names a stored file that this run cannot read.`,
          "give the bytes as bytes_base64",
        ),
      );
    }
  }
}

function multipart(parts: readonly PartDescription[]): EncodedBody {
  const contents = parts.map((part) => [utf8(partHead(part)), partBytes(part)] as const);
  const hash = createHash("sha256");
  for (const [head, bytes] of contents) hash.update(head).update(bytes);
  // Made from the content, so that equal bodies have equal bytes (RUN-160).
  const boundary = `plasm-${hash.digest("hex").slice(0, 32)}`;
  const chunks = contents.flatMap(([head, bytes]) => [
    utf8(`--${boundary}\r\n`),
    head,
    bytes,
    utf8("\r\n"),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...chunks, utf8(`--${boundary}--\r\n`)]),
  };
}

/** Encodes a request body (MAP-015, MAP-016); a JSON body is what the template gave. */
export function encodeBody(body: BodyDescription): EncodedBody {
  switch (body.format) {
    case "json":
      return { contentType: "application/json", bytes: utf8(JSON.stringify(body.value)) };
    case "form_urlencoded":
      return {
        contentType: "application/x-www-form-urlencoded",
        bytes: utf8(formText(body.pairs)),
      };
    case "multipart":
      return multipart(body.parts);
  }
}
