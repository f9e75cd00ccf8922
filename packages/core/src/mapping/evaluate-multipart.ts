import { type Json, type JsonObject, isObject } from "../values/value-type.ts";
import { evaluate } from "./evaluate-expression.ts";
import { causeOf } from "./evaluate-members.ts";
import { type Evaluation, noteError } from "./evaluation.ts";
import type {
  AttachmentPart,
  AttachmentSource,
  Expression,
  MultipartPart,
  PartDescription,
  TextPart,
} from "./template.ts";
import { describeValue, scalarText } from "./evaluate-path.ts";

const ATTACHMENT = "__plasm_attachment";

/** The parts of a multipart body that are something; none left is an error (MAP-016). */
export function evaluateMultipart(
  parts: readonly MultipartPart[],
  evaluation: Evaluation,
): readonly PartDescription[] {
  const before = evaluation.errors.length;
  const described = parts.flatMap((part, at) => {
    return describeParts(part, `multipart.parts[${at}]`, evaluation);
  });
  if (described.length === 0 && evaluation.errors.length === before) {
    refuse(evaluation, "multipart.parts", "No part has a value; a multipart body needs one.");
  }
  return described;
}

/** The part that a value is; of a list that is repeated one for each of its values. */
function describeParts(
  part: MultipartPart,
  place: string,
  evaluation: Evaluation,
): readonly PartDescription[] {
  const value = evaluate(part.content, `${place}.content`, evaluation);
  const values =
    part.repeat === true && Array.isArray(value) ? (value as readonly Json[]) : [value];
  return values.flatMap((one) => describePart(part, one, place, evaluation) ?? []);
}

function describePart(
  part: MultipartPart,
  value: Json | undefined,
  place: string,
  evaluation: Evaluation,
): PartDescription | undefined {
  const { name } = part;
  const fileName = optionalText(part.fileName, `${place}.file_name`, evaluation);
  const contentType = optionalText(part.contentType, `${place}.content_type`, evaluation);
  if (value === undefined) return undefined;
  const cause = causeOf(part.content, name, evaluation);
  if (value === null) {
    const message = `${cause} is null, which a multipart body cannot hold.`;
    return refuse(evaluation, place, message, cause, "MAP-022");
  }
  const attachment = attachmentOf(value);
  if (attachment !== undefined) {
    return attachmentPart(name, attachment, { fileName, contentType }, place, cause, evaluation);
  }
  const text = scalarText(value);
  if (text === undefined) {
    return { kind: "json", name, contentType: contentType ?? "application/json", value };
  }
  if (fileName !== undefined) {
    const message = `${cause} is ${describeValue(value)}; a file_name needs an attachment.`;
    return refuse(evaluation, place, message, cause);
  }
  return { kind: "text", name, text, ...(contentType === undefined ? {} : { contentType }) };
}

/** A body that is one file, or a text, and nothing else; undefined where it is nothing (MAP-024). */
export function evaluateBinary(
  body: Expression,
  evaluation: Evaluation,
): AttachmentPart | TextPart | undefined {
  const value = evaluate(body, "body", evaluation);
  if (value === undefined) return undefined;
  const cause = causeOf(body, "body", evaluation);
  const attachment = attachmentOf(value);
  if (attachment !== undefined) {
    const declared = { fileName: undefined, contentType: undefined };
    return attachmentPart(cause, attachment, declared, "body", cause, evaluation);
  }
  if (typeof value === "string") return { kind: "text", name: cause, text: value };
  const message = `${cause} is ${describeValue(value)}; this body is a file or text.`;
  return refuse(evaluation, "body", message, cause, value === null ? "MAP-022" : "MAP-024");
}

function attachmentPart(
  name: string,
  attachment: JsonObject,
  declared: { readonly fileName: string | undefined; readonly contentType: string | undefined },
  place: string,
  cause: string,
  evaluation: Evaluation,
): AttachmentPart | undefined {
  const bytesBase64 = textMember(attachment, "bytes_base64");
  const uri = textMember(attachment, "uri");
  if (bytesBase64 === undefined && uri === undefined) {
    const message = `${cause} is an attachment without bytes_base64 and uri; it needs one of them.`;
    return refuse(evaluation, place, message, cause);
  }
  const source: AttachmentSource = bytesBase64 === undefined ? { uri: uri ?? "" } : { bytesBase64 };
  const mime = textMember(attachment, "mime_type") ?? textMember(attachment, "media_type");
  return {
    kind: "attachment",
    name,
    contentType: declared.contentType ?? mime ?? "application/octet-stream",
    fileName: declared.fileName ?? textMember(attachment, "file_name") ?? "file",
    source,
  };
}

/** The content of an attachment object (RUN-038). */
function attachmentOf(value: Json): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const inner = value[ATTACHMENT];
  return inner !== undefined && isObject(inner) ? inner : undefined;
}

function textMember(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function optionalText(
  expression: Expression | undefined,
  place: string,
  evaluation: Evaluation,
): string | undefined {
  const value = expression && evaluate(expression, place, evaluation);
  if (value === undefined) return undefined;
  if (typeof value === "string" && !/[\r\n\0]/.test(value)) return value;
  return refuse(
    evaluation,
    place,
    `${place} is ${describeValue(value)}; it must be one line of text.`,
  );
}

function refuse(
  evaluation: Evaluation,
  place: string,
  message: string,
  variable?: string,
  rule = "MAP-016",
): undefined {
  const error = { code: "argument_invalid", rule, place, message } as const;
  return noteError(evaluation, variable === undefined ? error : { ...error, variable });
}
