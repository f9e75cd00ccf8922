import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, resolve, sep } from "node:path";
import type { OperationLimits, Retention, StoreBounds } from "@plasm/agent-core";
import { DEFAULT_BOUNDS, DEFAULT_RETENTION, OPERATION_LIMITS } from "@plasm/agent-core/internal";
import { BUDGET_NAMES, type BudgetName } from "@plasm/core";
import {
  DEFAULT_FILE_RULES,
  FILE_SETTINGS,
  type FileRules,
  ROW_SETTINGS,
  type RowLimits,
  rowLimits,
} from "@plasm/runtime";
import { secretKeyFile } from "@plasm/runtime/internal";
import { countIn, HostStartError, settingIn, type Environment } from "./environment.ts";

/** Budgets of every run that a deployment sets; `wall` in seconds (RUN-130, PLAN-050). */
export type Budgets = Readonly<Partial<Record<BudgetName, number>>>;

const budgetSetting = (name: BudgetName): string => `PLASM_BUDGET_${name.toUpperCase()}`;

/** Returns the budgets that are set; the others keep their defaults. Throws HostStartError. */
export function budgetsFrom(env: Environment): Budgets {
  const found: Partial<Record<BudgetName, number>> = {};
  for (const name of BUDGET_NAMES) {
    const value = countIn(env, budgetSetting(name));
    if (value !== null) found[name] = value;
  }
  return found;
}

const ROW_NAMES = Object.keys(ROW_SETTINGS) as readonly (keyof RowLimits)[];

/** Returns how much the rows of runs may take; what is not set fits this process's heap. Throws HostStartError. */
export function rowLimitsFrom(env: Environment): RowLimits {
  const set: { -readonly [name in keyof RowLimits]?: number } = {};
  for (const name of ROW_NAMES) {
    const value = countIn(env, ROW_SETTINGS[name], { unit: name === "cells" ? "cells" : "bytes" });
    if (value !== null) set[name] = value;
  }
  return rowLimits(set);
}

const OPERATION_SETTINGS = {
  perSession: "PLASM_OPERATIONS_PER_SESSION",
  perTenant: "PLASM_OPERATIONS_PER_TENANT",
} as const satisfies Readonly<Record<keyof OperationLimits, string>>;

const MOST_OPERATIONS = 999_999;

/** Returns how many operations may be unfinished at a time (OPS-14). Throws HostStartError. */
export function operationLimitsFrom(env: Environment): OperationLimits {
  const read = (of: keyof OperationLimits): number =>
    countIn(env, OPERATION_SETTINGS[of], { unit: "operations", most: MOST_OPERATIONS }) ??
    OPERATION_LIMITS[of];
  return { perSession: read("perSession"), perTenant: read("perTenant") };
}

const FAILURES_SETTING = "PLASM_REPEATED_FAILURES";

/** Returns after how many failures in a row a program is not run again for a while; null for the default (OPS-53). Throws HostStartError. */
export const repeatedFailuresFrom = (env: Environment): number | null =>
  countIn(env, FAILURES_SETTING, { unit: "failures", most: MOST_OPERATIONS });

interface RetentionSetting {
  readonly name: string;
  readonly unit: "hours" | "days";
}

const RETENTION_SETTINGS = Object.freeze({
  operations: { name: "PLASM_RETENTION_OPERATIONS", unit: "hours" },
  snapshots: { name: "PLASM_RETENTION_SNAPSHOTS", unit: "days" },
  traces: { name: "PLASM_RETENTION_TRACES", unit: "days" },
  sessions: { name: "PLASM_RETENTION_SESSIONS", unit: "days" },
  audit: { name: "PLASM_RETENTION_AUDIT", unit: "days" },
} as const satisfies Readonly<Record<keyof Retention, RetentionSetting>>);

const HOUR_MS = 3_600_000;
const UNIT_MS = { hours: HOUR_MS, days: 24 * HOUR_MS } as const;

/** A hundred years, in days. */
const MOST_DAYS = 36_500;

function retentionOf(env: Environment, of: keyof Retention, unset = DEFAULT_RETENTION[of]): number {
  const { name, unit } = RETENTION_SETTINGS[of];
  const most = unit === "days" ? MOST_DAYS : MOST_DAYS * 24;
  const value = countIn(env, name, { unit, most });
  return value === null ? unset : value * UNIT_MS[unit];
}

/** A time as its setting writes it. */
const timeText = (of: keyof Retention, ms: number): string =>
  `${ms / UNIT_MS[RETENTION_SETTINGS[of].unit]} ${RETENTION_SETTINGS[of].unit}`;

/**
 * Returns how long a deployment keeps things (SESS-37); what is not set keeps its default, traces no longer than
 * sessions. Throws HostStartError for a time that is longer than that of the sessions it belongs to.
 */
export function retentionFrom(env: Environment): Retention {
  const sessions = retentionOf(env, "sessions");
  const retention = {
    operations: retentionOf(env, "operations"),
    snapshots: retentionOf(env, "snapshots"),
    traces: retentionOf(env, "traces", Math.min(DEFAULT_RETENTION.traces, sessions)),
    sessions,
    audit: retentionOf(env, "audit"),
  };
  // Not named `of`: Node cannot strip types around that.
  for (const kept of ["operations", "snapshots", "traces"] as const) {
    if (retention[kept] <= sessions) continue;
    const { name } = RETENTION_SETTINGS[kept];
    const whole = RETENTION_SETTINGS.sessions.name;
    throw new HostStartError(
      `${name} is ${timeText(kept, retention[kept])}, but ${whole} is ${timeText("sessions", sessions)}, and a session is deleted with all that belongs to it. Raise ${whole}, or lower ${name}.`,
    );
  }
  return retention;
}

const BOUND_SETTINGS = {
  store: "PLASM_DATA_LIMIT",
  tenant: "PLASM_TENANT_BYTES",
} as const satisfies Readonly<Record<keyof StoreBounds, string>>;

const BYTE_UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["KB", 1024],
  ["MB", 1024 ** 2],
  ["GB", 1024 ** 3],
  ["TB", 1024 ** 4],
]);

/** Less would leave no room for the sessions that are open. */
const LEAST_BYTES = 1024 ** 2;

function bytesIn(env: Environment, name: string): number | null {
  const text = settingIn(env, name);
  if (text === "") return null;
  const [, digits = "", unit = ""] = /^([0-9]{1,13})\s*([KMGT]?B?)$/i.exec(text) ?? [];
  const bytes = Number(digits) * (BYTE_UNITS.get(unit.toUpperCase()) ?? Number.NaN);
  if (digits !== "" && bytes >= LEAST_BYTES && Number.isSafeInteger(bytes)) return bytes;
  throw new HostStartError(
    `${name} must be a number of bytes of 1 MB or more, such as 500 MB or 2 GB, got "${text}".`,
  );
}

/**
 * Returns how many bytes the store may hold, and each tenant in it (SESS-37): 2 GB unless set, and as much as the
 * store unless set. Throws HostStartError.
 */
export function boundsFrom(env: Environment): StoreBounds {
  const store = bytesIn(env, BOUND_SETTINGS.store) ?? DEFAULT_BOUNDS.store;
  return { store, tenant: bytesIn(env, BOUND_SETTINGS.tenant) ?? store };
}

/** A path as it is found by others: symbolic links followed, where it is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

function directoriesIn(env: Environment, dataDir: string): readonly string[] {
  const name = FILE_SETTINGS.directories;
  const all = settingIn(env, name)
    .split(delimiter)
    .map((path) => path.trim())
    .filter((path) => path !== "");
  const data = realPath(dataDir);
  const keyFile = realPath(secretKeyFile(env));
  for (const path of all) {
    if (!isAbsolute(path)) {
      throw new HostStartError(
        `${name} must be absolute paths with "${delimiter}" between them, got "${path}".`,
      );
    }
    const real = realPath(path);
    if (isWithin(data, real) || isWithin(real, data)) {
      throw new HostStartError(
        `${name} names "${path}", and ${dataDir} has credentials and what sessions keep: programs would send them. Name directories apart from it.`,
      );
    }
    if (isWithin(keyFile, real)) {
      throw new HostStartError(
        `${name} names "${path}", and the key of stored secrets is in it: programs would send it. Name directories made for what is sent.`,
      );
    }
  }
  return all.map((path) => resolve(path));
}

function originsIn(env: Environment): readonly string[] {
  const name = FILE_SETTINGS.origins;
  const all = settingIn(env, name).split(/[\s,]+/);
  return all
    .filter((text) => text !== "")
    .map((text) => {
      const bare = text.replace(/\/$/, "");
      const url = URL.canParse(bare) ? new URL(bare) : null;
      if (url !== null && /^https?:$/.test(url.protocol) && url.origin === bare) return bare;
      throw new HostStartError(
        `${name} must be origins such as https://files.example, with blanks between them, got "${text}".`,
      );
    });
}

/**
 * Returns what files may be, and which programs may name: none unless directories or origins are set (VAL-05, VAL-07,
 * VAL-09). Throws HostStartError, for a directory that has the server's own data, too.
 */
export function fileRulesFrom(env: Environment, dataDir: string): FileRules {
  return {
    maxBytes: bytesIn(env, FILE_SETTINGS.maxBytes) ?? DEFAULT_FILE_RULES.maxBytes,
    directories: directoriesIn(env, dataDir),
    origins: originsIn(env),
  };
}

/** The names of all settings that are limits. */
export const LIMIT_SETTINGS: readonly string[] = Object.freeze([
  ...BUDGET_NAMES.map(budgetSetting),
  ...Object.values(ROW_SETTINGS),
  ...Object.values(OPERATION_SETTINGS),
  ...Object.values(RETENTION_SETTINGS).map(({ name }) => name),
  ...Object.values(BOUND_SETTINGS),
  ...Object.values(FILE_SETTINGS),
  FAILURES_SETTING,
]);
