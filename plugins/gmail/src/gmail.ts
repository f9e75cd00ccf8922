import type { Plugin, RegisteredFunction } from "@plasm/runtime";
import manifest from "../package.json" with { type: "json" };
import { addressesIn, rawMessage } from "./build-message.ts";
import { type MailNames, Unfit, mailNames } from "./read-environment.ts";

type Result = ReturnType<RegisteredFunction>;

/** A body of the API: the mail, and the thread it belongs to if it does. */
function mailBody(make: () => { readonly raw: string; readonly threadId: string }): Result {
  try {
    const { raw, threadId } = make();
    return { value: threadId === "" ? { raw } : { raw, threadId } };
  } catch (error) {
    if (error instanceof Unfit) return { error: error.message };
    throw error;
  }
}

/**
 * The body that sends a mail (mapping format, section 2). Reads `from`, `to`, `subject`, `plainBody`; optional
 * are `threadId`, `inReplyTo`, `references`.
 */
const sendBody: RegisteredFunction = (context) =>
  mailBody(() => {
    const names = mailNames(context);
    const plainBody = names.text("plainBody");
    if (plainBody === "") throw new Unfit("plainBody is missing or empty");
    const mail = {
      from: names.required("from"),
      to: names.required("to"),
      subject: names.required("subject"),
      plainBody,
      inReplyTo: names.header("inReplyTo"),
      references: names.header("references"),
    };
    return { raw: rawMessage(context, mail), threadId: names.header("threadId") };
  });

/** The addresses that an answer goes to where its sender does not say. */
function answerTo(names: MailNames): string {
  const given = names.header("to");
  if (given !== "") return given;
  const replyTo = addressesIn(names.parentHeader("parent_headerReplyTo"));
  const found = replyTo.length > 0 ? replyTo : addressesIn(names.parentHeader("parent_headerFrom"));
  if (found.length > 0) return found.join(", ");
  throw new Unfit("to is missing, and the mail answered has no Reply-To and no From");
}

/** The subject of the mail answered with one `Re: ` before it. */
function answerSubject(names: MailNames): string {
  const given = names.header("subject");
  if (given !== "") return given;
  const subject = names.parentHeader("parent_headerSubject");
  return `Re: ${subject.replace(/^(?:re\s*:\s*)+/i, "")}`.trimEnd();
}

/**
 * The body that answers a mail (mapping format, section 2). Reads `from`, `plainBody` and
 * `parent_headerMessageId`; optional are `to` and `subject`, which else are the parent's.
 */
const replyBody: RegisteredFunction = (context) =>
  mailBody(() => {
    const names = mailNames(context);
    const plainBody = names.text("plainBody");
    if (plainBody === "") throw new Unfit("plainBody is missing or empty");
    const parent = names.parentHeader("parent_headerMessageId");
    if (parent === "") throw new Unfit("parent_headerMessageId is missing or empty");
    const mail = {
      from: names.required("from"),
      to: answerTo(names),
      subject: answerSubject(names),
      plainBody,
      inReplyTo: parent,
      references: `${names.parentHeader("parent_headerReferences")} ${parent}`.trim(),
    };
    return { raw: rawMessage(context, mail), threadId: names.header("parent_threadId") };
  });

/** The functions that catalogs of Gmail call by name (RUN-105). */
export const gmail: Plugin = Object.freeze({
  name: manifest.name,
  version: manifest.version,
  functions: new Map([
    ["gmail_rfc5322_send_body", sendBody],
    ["gmail_rfc5322_reply_send_body", replyBody],
  ]),
});
