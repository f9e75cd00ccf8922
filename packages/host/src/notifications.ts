import { readFileSync } from "node:fs";
import type { NoticeTarget } from "@plasm/agent-core/internal";
import { createHttpTransport } from "@plasm/runtime";
import { emailTarget, type MailServer } from "./email.ts";
import { HostStartError, settingIn, switchIn, type Environment, proxiesIn } from "./environment.ts";
import { wordsFor } from "./notice-words.ts";
import { webhookKeys, webhookTarget } from "./webhook.ts";

/** Where notices go, without what is secret of it: the query of an address may hold a key. */
export type NoticePlace = {
  readonly kind: "webhook" | "email";
  readonly host: string;
};

/** Who outside is told of what happens here (OPS-49). */
export interface Notifications {
  readonly targets: readonly NoticeTarget[];
  /** of each target */
  readonly places: readonly NoticePlace[];
  close(): Promise<void>;
}

const SECRETS = ["PLASM_NOTIFY_WEBHOOK_SECRET", "PLASM_SMTP_PASSWORD"] as const;

/** The settings of notices. */
export const NOTICE_SETTINGS: readonly string[] = Object.freeze([
  "PLASM_NOTIFY_EMAIL",
  "PLASM_NOTIFY_FROM",
  "PLASM_NOTIFY_PRIVATE",
  "PLASM_NOTIFY_WEBHOOK",
  "PLASM_SMTP_URL",
  ...SECRETS.flatMap((name) => [name, `${name}_FILE`]),
]);

/** A secret as a setting, or in the file that another one names; empty where neither is set. Throws HostStartError. */
function secretIn(env: Environment, name: (typeof SECRETS)[number]): string {
  const [own, file] = [settingIn(env, name), settingIn(env, `${name}_FILE`)];
  if (file === "") return own;
  if (own !== "") throw new HostStartError(`Set ${name} or ${name}_FILE, not both.`);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? "unknown";
    throw new HostStartError(`${name}_FILE cannot be read (${code}): ${file}`, { cause: thrown });
  }
}

function webhookUrl(env: Environment, allowPrivate: boolean): string {
  const text = settingIn(env, "PLASM_NOTIFY_WEBHOOK");
  if (text === "") return "";
  if (URL.canParse(text)) {
    const { protocol, username, password, hash, href } = new URL(text);
    const bare = username === "" && password === "" && hash === "";
    if (bare && (protocol === "https:" || (protocol === "http:" && allowPrivate))) return href;
  }
  // Its query may hold a key.
  throw new HostStartError(
    "PLASM_NOTIFY_WEBHOOK must be an https address without user, password and fragment; PLASM_NOTIFY_PRIVATE=on allows http, too.",
  );
}

const ADDRESS = /^[^\s@<>,;"\p{Cc}]+@[^\s@<>,;"\p{Cc}]+$/u;

function addressesIn(env: Environment, name: string): readonly string[] {
  const items = settingIn(env, name).split(",");
  const addresses = items.map((item) => item.trim()).filter((item) => item !== "");
  const wrong = addresses.find((address) => !ADDRESS.test(address));
  if (wrong === undefined) return addresses;
  throw new HostStartError(
    `${name} must list mail addresses, separated by commas; got ${JSON.stringify(wrong)}.`,
  );
}

const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

function mailServer(env: Environment): MailServer {
  const text = settingIn(env, "PLASM_SMTP_URL");
  if (URL.canParse(text)) {
    const { protocol, hostname, port, username, password, pathname } = new URL(text);
    const isBare = hostname !== "" && (pathname === "" || pathname === "/");
    if (isBare && (protocol === "smtp:" || protocol === "smtps:")) {
      const own = decodeURIComponent(password);
      return {
        host: hostname.replace(/^\[(.*)\]$/, "$1"),
        port: port === "" ? PORTS[protocol] : Number(port),
        secure: protocol === "smtps:",
        user: decodeURIComponent(username),
        password: own === "" ? secretIn(env, "PLASM_SMTP_PASSWORD") : own,
      };
    }
  }
  throw new HostStartError(
    "PLASM_NOTIFY_EMAIL needs PLASM_SMTP_URL, such as smtp://plasm@mail.example:587 or smtps://mail.example, with the password in PLASM_SMTP_PASSWORD_FILE.",
  );
}

/** Which target a setting asks for, beside the origin that its links need. */
interface Wanted {
  readonly url: string;
  readonly to: readonly string[];
}

function targetsOf(env: Environment, origin: string, { url, to }: Wanted): Notifications {
  const allowPrivate = switchIn(env, "PLASM_NOTIFY_PRIVATE");
  const words = wordsFor(origin);
  const targets: NoticeTarget[] = [];
  const places: NoticePlace[] = [];
  const transport = url === "" ? null : createHttpTransport(proxiesIn(env));
  if (transport !== null) {
    const secret = secretIn(env, "PLASM_NOTIFY_WEBHOOK_SECRET");
    const keys = webhookKeys("PLASM_NOTIFY_WEBHOOK_SECRET", secret);
    targets.push(webhookTarget({ url, keys, transport, allowPrivate, words }));
    places.push({ kind: "webhook", host: new URL(url).host });
  }
  if (to.length > 0) {
    const [from] = addressesIn(env, "PLASM_NOTIFY_FROM");
    if (from === undefined) {
      throw new HostStartError("PLASM_NOTIFY_EMAIL needs PLASM_NOTIFY_FROM, who mails are from.");
    }
    const server = mailServer(env);
    targets.push(emailTarget({ server, from, to, allowPrivate, words }));
    places.push({ kind: "email", host: `${server.host}:${server.port}` });
  }
  return {
    targets,
    places,
    close: async () => {
      await transport?.close();
    },
  };
}

/**
 * Returns who is told of plans that wait, decisions and uncertain runs, by settings; nobody unless set. `origin` is where people
 * reach the console. Throws HostStartError, which repeats no secret.
 */
export function notificationsFrom(env: Environment, origin: string | undefined): Notifications {
  const url = webhookUrl(env, switchIn(env, "PLASM_NOTIFY_PRIVATE"));
  const to = addressesIn(env, "PLASM_NOTIFY_EMAIL");
  if (url === "" && to.length === 0)
    return { targets: [], places: [], close: async () => undefined };
  if (origin === undefined) {
    const name = url === "" ? "PLASM_NOTIFY_EMAIL" : "PLASM_NOTIFY_WEBHOOK";
    throw new HostStartError(
      `${name} needs PLASM_TRANSPORT_ORIGIN, where people reach this server: what they are told links to its console.`,
    );
  }
  return targetsOf(env, origin, { url, to });
}
