import { DEFAULT_RETENTION, type Retention } from "@plasm/agent-core";
import { HostStartError } from "./host-start-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

const HOUR_MS = 3_600_000;

/** A setting with its unit. */
interface Setting {
  readonly name: string;
  readonly unit: "hours" | "days";
}

const SETTINGS = Object.freeze({
  operations: { name: "PLASM_RETENTION_OPERATIONS", unit: "hours" },
  snapshots: { name: "PLASM_RETENTION_SNAPSHOTS", unit: "days" },
  traces: { name: "PLASM_RETENTION_TRACES", unit: "days" },
  sessions: { name: "PLASM_RETENTION_SESSIONS", unit: "days" },
} as const satisfies Readonly<Record<keyof Retention, Setting>>);

const UNIT_MS = { hours: HOUR_MS, days: 24 * HOUR_MS } as const;

/** A hundred years, in days: more would be no time that is kept. */
const MOST_DAYS = 36_500;

function read(env: Env, of: keyof Retention, unset = DEFAULT_RETENTION[of]): number {
  const { name, unit } = SETTINGS[of];
  const text = env[name]?.trim() ?? "";
  if (text === "") return unset;
  const most = unit === "days" ? MOST_DAYS : MOST_DAYS * 24;
  const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value * UNIT_MS[unit];
  throw new HostStartError(
    `${name}=${text} is no time: a whole number of ${unit} from 1 to ${most} is.`,
  );
}

/** A time as its setting writes it. */
const told = (of: keyof Retention, ms: number): string =>
  `${ms / UNIT_MS[SETTINGS[of].unit]} ${SETTINGS[of].unit}`;

/**
 * How long a deployment keeps things (SESS-37): `PLASM_RETENTION_OPERATIONS` in hours,
 * `PLASM_RETENTION_SNAPSHOTS`, `PLASM_RETENTION_TRACES` and `PLASM_RETENTION_SESSIONS` in days; those not set keep their defaults,
 * traces no longer than sessions.
 * Throws HostStartError for what is no such number, and for a time that outlives the sessions that it is of.
 */
export function retentionFromEnv(env: Env): Retention {
  const sessions = read(env, "sessions");
  const retention = {
    operations: read(env, "operations"),
    snapshots: read(env, "snapshots"),
    traces: read(env, "traces", Math.min(DEFAULT_RETENTION.traces, sessions)),
    sessions,
  };
  // Not named `of`: Node cannot strip types around that.
  for (const kept of ["operations", "snapshots", "traces"] as const) {
    if (retention[kept] <= retention.sessions) continue;
    throw new HostStartError(
      `${SETTINGS[kept].name} is ${told(kept, retention[kept])}, and ${SETTINGS.sessions.name} ${told("sessions", retention.sessions)}: what is of a session goes with it. Raise the second, or lower the first.`,
    );
  }
  return retention;
}
