import type { RegisteredFunction } from "@plasm/runtime";
import { rawMessage } from "./build-message.ts";
import { mailNames, Unfit } from "./read-environment.ts";

type Result = ReturnType<RegisteredFunction>;

/** A body of the API: the mail, and the thread it belongs to if it does. */
export function mailBody(make: () => { readonly raw: string; readonly threadId: string }): Result {
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
export const sendBody: RegisteredFunction = (context) =>
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
