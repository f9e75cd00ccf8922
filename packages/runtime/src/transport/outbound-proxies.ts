import type { RequestInit as AskInit } from "undici";

/**
 * The proxies that requests leave this machine by, as the variables of the environment write them; an empty text for none
 * (RUN-196).
 */
export interface OutboundProxies {
  /** for addresses that begin with `http:` */
  readonly http: string;
  /** for those that begin with `https:` */
  readonly https: string;
  /** hosts that are asked directly: `NO_PROXY` */
  readonly except: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in small letters first, as other programs do; null where no proxy
 * is named. Throws TypeError where one is no address of http or https.
 */
export function outboundProxies(env: Environment): OutboundProxies | null {
  const named = (name: string): string => (env[name.toLowerCase()] ?? env[name] ?? "").trim();
  const proxy = (name: string): string => {
    const text = named(name);
    if (text === "") return "";
    const address = text.includes("://") ? text : `http://${text}`;
    if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
    // What it holds may be a password.
    throw new TypeError(
      `${name} is no address of http or https: write it as http://proxy.example:3128`,
    );
  };
  const every = proxy("ALL_PROXY");
  const [http, https] = [proxy("HTTP_PROXY") || every, proxy("HTTPS_PROXY") || every];
  return http === "" && https === "" ? null : { http, https, except: named("NO_PROXY") };
}

/** `fetch`, by way of the proxies where there are any; this machine is always asked directly (RUN-196). */
export function outboundFetch(proxies: OutboundProxies | null): typeof fetch {
  if (proxies === null) return (...request) => fetch(...request);
  const { http: httpProxy, https: httpsProxy, except } = proxies;
  const noProxy = `${except},localhost,127.0.0.1,[::1]`;
  let opening: Promise<typeof fetch> | null = null;
  const open = async (): Promise<typeof fetch> => {
    const { EnvHttpProxyAgent, fetch: ask } = await import("undici");
    const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
    const asked = (address: string, init?: RequestInit) =>
      ask(address, { ...(init as AskInit), dispatcher });
    // The library's own types of what Node has, too.
    return asked as unknown as typeof fetch;
  };
  return async (...request) => (await (opening ??= open()))(...request);
}
