import { createRequire } from "node:module";
import type { FunctionContext } from "@plasm/runtime";
import type parseAddresses from "nodemailer/lib/addressparser";
import type Node from "nodemailer/lib/mime-node";
import { Unfit } from "./read-environment.ts";

const require = createRequire(import.meta.url);

/** Few write mails, so that whoever does installs what puts them together. Throws Unfit. */
function installed<T>(name: string): T {
  try {
    return require(name) as T;
  } catch {
    throw new Unfit(
      'mails are put together by the package "nodemailer", which is not installed here: let the operator install it where Node finds it from plasm, npm install nodemailer@10, or npm install --global nodemailer@10 beside a global plasm',
    );
  }
}

const addressParser = () => installed<typeof parseAddresses>("nodemailer/lib/addressparser");
const mimeNode = () => installed<typeof Node>("nodemailer/lib/mime-node");

/** A mail of plain text. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly plainBody: string;
  /** message ids, empty where the mail answers none */
  readonly inReplyTo: string;
  readonly references: string;
}

/** The addresses in an address header, without names. */
export const addressesIn = (header: string): readonly string[] =>
  addressParser()(header, { flatten: true }).flatMap(({ address }) =>
    address === undefined || address === "" ? [] : [address],
  );

function checkAddresses(name: string, header: string): readonly string[] {
  const found = addressesIn(header);
  if (found.length > 0 && found.every((address) => address.includes("@"))) return found;
  throw new Unfit(`${name} is no address such as ann@example.com`);
}

/** An id that no other mail has, at the domain of its sender. */
function messageId({ id }: FunctionContext, sender: string): string {
  const domain = sender.slice(sender.lastIndexOf("@") + 1);
  return `<${id()}@${domain}>`;
}

/** Lines end in CRLF, whatever they ended in. */
const crlf = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, "\r\n");

/**
 * A mail as RFC 5322 has it, unpadded base64url: Message-ID, Date, From, To, Subject, MIME-Version 1.0,
 * text/plain in UTF-8, 8bit, then In-Reply-To and References where known; other letters in headers by
 * RFC 2047. Throws Unfit.
 */
export function rawMessage(context: FunctionContext, mail: Mail): string {
  const [sender = ""] = checkAddresses("from", mail.from);
  checkAddresses("to", mail.to);
  const MimeNode = mimeNode();
  const node = new MimeNode("text/plain; charset=utf-8");
  node.setHeader("Message-ID", messageId(context, sender));
  node.setHeader("Date", new Date(context.now).toUTCString().replace("GMT", "+0000"));
  node.setHeader("From", mail.from);
  node.setHeader("To", mail.to);
  node.setHeader("Subject", mail.subject);
  node.setHeader("MIME-Version", "1.0");
  node.setHeader("Content-Transfer-Encoding", "8bit");
  if (mail.inReplyTo !== "") node.setHeader("In-Reply-To", mail.inReplyTo);
  if (mail.references !== "") node.setHeader("References", mail.references);
  const text = `${node.buildHeaders()}\r\n\r\n${crlf(mail.plainBody)}`;
  return Buffer.from(text, "utf8").toString("base64url");
}
