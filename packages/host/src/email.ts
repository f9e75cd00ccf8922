import { createRequire } from "node:module";
import type { Notice, NoticeTarget } from "@plasm/agent-core/internal";
import { publicAddress } from "@plasm/runtime/internal";
import type * as nodemailer from "nodemailer";
import { HostStartError } from "./environment.ts";
import type { NoticeWords } from "./notice-words.ts";

const require = createRequire(import.meta.url);

/** Few want mails, so that whoever does installs what sends them. Throws HostStartError. */
function installed(): typeof nodemailer {
  try {
    return require("nodemailer") as typeof nodemailer;
  } catch {
    throw new HostStartError(
      'PLASM_NOTIFY_EMAIL is set, and mails are sent by the package "nodemailer", which is not installed here: install it where Node finds it from plasm, npm install nodemailer@10, or npm install --global nodemailer@10 beside a global plasm.',
    );
  }
}

/** Where mails are handed over. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
}

interface EmailOptions {
  readonly server: MailServer;
  readonly from: string;
  readonly to: readonly string[];
  /** whether the server may be one of an inner network, which may then do without TLS */
  readonly allowPrivate: boolean;
  readonly words: (notice: Notice) => NoticeWords;
}

/** The address of a mail server that may not be one of an inner network. */
const guarded = (host: string): Promise<string> =>
  publicAddress(host).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : "it has no address";
    const fix = why.endsWith("private address") ? "; PLASM_NOTIFY_PRIVATE=on allows that" : "";
    throw new Error(`The mail server cannot be reached: ${why}${fix}`, { cause });
  });

const TIMEOUT_MS = 8_000;

/** Mails to people by an SMTP server, one connection each; the id of a notice is that of its message (OPS-51). Throws HostStartError. */
export function emailTarget(options: EmailOptions): NoticeTarget {
  const { server, from, to, allowPrivate, words } = options;
  const { createTransport } = installed();
  const { host, port, secure, user, password } = server;
  return {
    name: "email",
    send: async (notice, signal) => {
      const address = allowPrivate ? host : await guarded(host);
      const mailer = createTransport({
        host: address,
        port,
        secure,
        requireTLS: !allowPrivate,
        ...(address === host ? {} : { tls: { servername: host } }),
        ...(user === "" ? {} : { auth: { user, pass: password } }),
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        dnsTimeout: TIMEOUT_MS,
        // Nothing of a mail is read from files or addresses.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const end = (): void => mailer.close();
      signal.throwIfAborted();
      signal.addEventListener("abort", end);
      const { subject, text, url } = words(notice);
      try {
        await mailer.sendMail({
          from,
          to: [...to],
          subject,
          text: `${text}\n\n${url}\n`,
          messageId: `<${notice.id}@plasm>`,
          date: notice.at,
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (thrown) {
        // A server's words may repeat what it was sent.
        const { code = "failed", responseCode } = thrown as {
          code?: string;
          responseCode?: number;
        };
        const answered = responseCode === undefined ? "" : ` ${responseCode}`;
        throw new Error(`The mail server ${host}:${port} did not take a mail: ${code}${answered}`);
      } finally {
        signal.removeEventListener("abort", end);
        mailer.close();
      }
    },
  };
}
