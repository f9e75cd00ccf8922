import type { GraftSettings, OperationLimits, Retention, StoreBounds } from "@plasm/agent-core";
import { DEFAULT_PROFILE, httpGraftProvider } from "@plasm/agent-core/internal";
import { nearestName } from "@plasm/core/internal";
import {
  createHttpTransport,
  type FileRules,
  type RowLimits,
  type SessionOrigins,
  type OutboundProxies,
} from "@plasm/runtime";
import { authSettingsFrom, secretsFrom, type AuthSettings, type UserSecrets } from "./auth.ts";
import { HostStartError, settingIn, switchIn, type Environment, proxiesIn } from "./environment.ts";
import type { HostOptions } from "./host-options.ts";
import { audienceRemarks, providerRemarks } from "./token-issuers.ts";
import {
  boundsFrom,
  budgetsFrom,
  fileRulesFrom,
  LIMIT_SETTINGS,
  operationLimitsFrom,
  repeatedFailuresFrom,
  retentionFrom,
  rowLimitsFrom,
  type Budgets,
} from "./limits.ts";
import { NOTICE_SETTINGS, type Notifications, notificationsFrom } from "./notifications.ts";
import { collectorOf, sendsTraceparent } from "./telemetry.ts";

/** What the environment decides about a host. */
export interface HostSettings {
  readonly tasks: boolean;
  readonly structured: boolean;
  readonly propagateTraces: boolean;
  readonly budgets: Budgets;
  readonly rows: RowLimits;
  readonly operations: OperationLimits;
  readonly repeatedFailures: number | null;
  readonly retention: Retention;
  readonly bounds: StoreBounds;
  /** what files may be, and which programs may name (VAL-07) */
  readonly files: FileRules;
  readonly grafts: GraftSettings;
  readonly origins: SessionOrigins;
  /** hostnames of the origins, which the headers Host and Origin may name */
  readonly hostnames: readonly string[];
  /** by which proxies others are reached */
  readonly proxies: OutboundProxies | null;
  readonly secrets: UserSecrets;
  readonly auth: AuthSettings;
  /** the port of pages that a program serves which serves nothing else over HTTP; 0 for any */
  readonly signInPort: number;
  /** who outside is told of what waits and happened */
  readonly notifications: Notifications;
  /** a line for each setting that has no effect */
  readonly remarks: readonly string[];
}

/** Reads the environment before anything is opened. Throws HostStartError. */
export function settingsOf({ env, auth, dataDir, strict = false }: HostOptions): HostSettings {
  const origins = originsFrom(env);
  collectorOf(env);
  const authSettings = authSettingsFrom(env, auth, origins.transport);
  return {
    tasks: switchIn(env, "PLASM_MCP_TASKS"),
    structured: switchIn(env, "PLASM_MCP_STRUCTURED_CONTENT"),
    propagateTraces: sendsTraceparent(env),
    budgets: budgetsFrom(env),
    rows: rowLimitsFrom(env),
    operations: operationLimitsFrom(env),
    repeatedFailures: repeatedFailuresFrom(env),
    retention: retentionFrom(env),
    bounds: boundsFrom(env),
    files: fileRulesFrom(env, dataDir),
    grafts: graftsFrom(env),
    origins,
    hostnames: Object.values(origins).map((origin: string) => new URL(origin).hostname),
    proxies: proxiesIn(env),
    secrets: secretsFrom(env, strict),
    auth: authSettings,
    signInPort: portIn(env, "PLASM_SIGN_IN_PORT"),
    notifications: notificationsFrom(env, origins.transport),
    remarks: [
      ...graftRemarks(env),
      ...audienceRemarks(env, origins.transport),
      ...providerRemarks(env, authSettings.mode),
    ],
  };
}

/**
 * Returns where people and requests reach the engine, for catalogs whose views use it (RUN-100): `PLASM_UI_ORIGIN`
 * and `PLASM_TRANSPORT_ORIGIN`. Throws HostStartError for a value that is not an http(s) origin.
 */
export function originsFrom(env: Environment): SessionOrigins {
  const ui = originIn(env, "PLASM_UI_ORIGIN");
  const transport = originIn(env, "PLASM_TRANSPORT_ORIGIN");
  return { ...(ui === null ? {} : { ui }), ...(transport === null ? {} : { transport }) };
}

function originIn(env: Environment, name: string): string | null {
  const text = settingIn(env, name);
  if (text === "") return null;
  const bare = text.replace(/\/$/, "");
  if (URL.canParse(bare)) {
    const { origin, protocol } = new URL(bare);
    if ((protocol === "http:" || protocol === "https:") && origin === bare) return origin;
  }
  throw new HostStartError(
    `${name} must be an origin such as https://plasm.example, got "${text}".`,
  );
}

/**
 * Returns where grafts come from besides callers (GRAFT-2, GRAFT-4): the provider at `PLASM_GRAFT_URL`, which is
 * asked only when `PLASM_PROFILE` names one of its profiles. Throws HostStartError.
 */
export function graftsFrom(env: Environment): GraftSettings {
  const profile = profileIn(env);
  const url = providerUrl(env);
  const provider =
    url === null || profile === DEFAULT_PROFILE
      ? null
      : httpGraftProvider({ url, transport: createHttpTransport(proxiesIn(env)) });
  return { profile, provider };
}

/** A remark on graft settings that, as they are, have no effect: no provider is asked. */
export function graftRemarks(env: Environment): readonly string[] {
  const profile = profileIn(env);
  const hasUrl = providerUrl(env) !== null;
  if (hasUrl && profile === DEFAULT_PROFILE) {
    return [
      `PLASM_GRAFT_URL has no effect while the profile is ${DEFAULT_PROFILE}. Set PLASM_PROFILE to one of the provider's profiles.`,
    ];
  }
  if (!hasUrl && profile !== DEFAULT_PROFILE) {
    return [
      `PLASM_PROFILE=${profile} has no effect without a provider of grafts. Set PLASM_GRAFT_URL to its address.`,
    ];
  }
  return [];
}

const MOST_PORT = 65_535;

function portIn(env: Environment, name: string): number {
  const text = settingIn(env, name);
  if (text === "") return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= MOST_PORT) return port;
  throw new HostStartError(`${name} must be a port from 1 to ${MOST_PORT}, got "${text}".`);
}

const PROFILE = /^[\w.-]{1,64}$/;

function profileIn(env: Environment): string {
  const text = settingIn(env, "PLASM_PROFILE");
  if (text === "") return DEFAULT_PROFILE;
  if (PROFILE.test(text)) return text;
  throw new HostStartError(
    `PLASM_PROFILE must be 1 to 64 letters, digits, "_", "." or "-", got "${text}".`,
  );
}

/** The message does not repeat the value: its query may hold a key. */
function providerUrl(env: Environment): string | null {
  const text = settingIn(env, "PLASM_GRAFT_URL");
  if (text === "") return null;
  if (URL.canParse(text)) {
    const { protocol, username, password, hash, href } = new URL(text);
    const bare = username === "" && password === "" && hash === "";
    if (bare && (protocol === "http:" || protocol === "https:")) return href;
  }
  throw new HostStartError(
    "PLASM_GRAFT_URL must be an http or https address without user, password and fragment.",
  );
}

/** Every setting that `plasm`, and what is delivered with it, reads: one list may be set for all of them. */
export const SETTINGS: readonly string[] = Object.freeze([
  "PLASM_ADMIN_KEY",
  "PLASM_API_KEY",
  "PLASM_AUTH",
  "PLASM_CATALOG_ENV",
  "PLASM_CREDENTIALS",
  "PLASM_DATA",
  "PLASM_DATABASE_PASSWORD",
  "PLASM_DATABASE_URL",
  "PLASM_GRAFT_URL",
  "PLASM_LOG",
  "PLASM_MCP_STRUCTURED_CONTENT",
  "PLASM_MCP_TASKS",
  "PLASM_METRICS",
  "PLASM_OPERATOR_KEY",
  "PLASM_POLICY",
  "PLASM_PROFILE",
  "PLASM_SECRETS_KEY",
  "PLASM_SECRETS_KEY_COMMAND",
  "PLASM_SECRETS_KEY_FILE",
  "PLASM_SEND_TRACEPARENT",
  "PLASM_SIGN_IN_PORT",
  "PLASM_TRANSPORT_ORIGIN",
  "PLASM_UI_ORIGIN",
  "PLASM_WORKSPACE",
  ...LIMIT_SETTINGS,
  ...NOTICE_SETTINGS,
]);

/** Settings whose names end with that of a catalog or an issuer. */
const FAMILIES = ["PLASM_BACKEND_", "PLASM_OAUTH_", "PLASM_JWT_"] as const;

const isKnown = (name: string): boolean =>
  SETTINGS.includes(name) || FAMILIES.some((family) => name.startsWith(family));

/** A remark on each variable that looks like a setting but is not: a misspelt limit would not limit anything. */
export function unknownSettings(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("PLASM_") && env[name] !== undefined && !isKnown(name))
    .toSorted()
    .map((name) => {
      const nearest = nearestName(name, SETTINGS);
      const meant = nearest === null ? "" : `; did you mean ${nearest}?`;
      return `${name} is not a setting of plasm and has no effect${meant}`;
    });
}
