import { memoryStore, type Store } from "@plasm/agent-core";
import { createAuthenticator, type KeyRing } from "@plasm/agent-core/internal";
import { type Console, createConsole } from "../console.ts";
import { consoleProviders } from "../console-providers.ts";

export const AT = "http://127.0.0.1:3000";
export const PAGE = { origin: AT, "sec-fetch-site": "same-origin", "x-plasm-console": "sign-in" };

/** A deployment without keys. */
export const noKeys: KeyRing = {
  add: () => Promise.reject(new Error("no")),
  list: async () => [],
  rotate: async () => null,
  remove: async () => false,
  recordOf: async () => null,
};

/** Keys of one tenant by role, of which one may have been removed. */
export const keysOf = (removed: ReadonlySet<string>): KeyRing => ({
  ...noKeys,
  recordOf: async (key) => {
    const [role, tenant = ""] = key.split("@");
    if (removed.has(key) || (role !== "operator" && role !== "agent" && role !== "admin"))
      return null;
    return { id: key, hash: "", tenant, subject: `${role} of ${tenant}`, role, createdAt: 0 };
  },
});

/** A console on files of a directory. */
export function consoleIn(
  directory: string,
  mode: "off" | "optional" | "required",
  more: { readonly keys?: KeyRing; readonly origin?: string; readonly store?: Store } = {},
): Console {
  const { keys = noKeys, origin, store = memoryStore({ at: 0 }) } = more;
  const now = (): number => store.now();
  const auth = createAuthenticator({ mode, keys });
  const providers = consoleProviders([], { origin, now });
  const signedIn = async () => undefined;
  return createConsole({ store, auth, keys, providers, signedIn, directory, origin, now });
}

/** What a page sends with a call. */
export type PageHeaders = Readonly<Record<string, string>>;

export const asked = (method: string, path: string, headers: PageHeaders, body?: object): Request =>
  new Request(`${AT}${path}`, {
    method,
    headers: { host: "127.0.0.1:3000", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export const SESSION = "/v1/console/session";
export const signIn = (console: Console, headers: PageHeaders, body: object = {}) =>
  console.fetch(asked("POST", SESSION, headers, body)).catch((thrown: unknown) => String(thrown));

/** What a browser sends after a sign-in. */
export async function signedIn(answer: Response | string): Promise<PageHeaders> {
  if (typeof answer === "string") throw new Error(answer);
  const [pair = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const { page_token: token } = (await answer.json()) as { readonly page_token: string };
  return { ...PAGE, cookie: pair, "x-plasm-console": token };
}

export const linkOf = (console: Console): { readonly link: string } => {
  const [, link = ""] = (console.link(AT) ?? "").split("#sign-in=");
  return { link };
};
