import { type StoreFault, StoreUnavailableError } from "../store-unavailable-error.ts";
import { addressText, type PostgresAddress } from "./address.ts";

/** SQLSTATE, or Node's code of a system error. */
function codeOf(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}

/**
 * Classes of SQLSTATE for what lies outside of the statement: connection, rights, resources, operator, system; and
 * sessions that were ended because their transaction stood still or took too long (25P03, 25P04).
 */
const OUTSIDE = /^(08|28|3D|53|57|58|XX)|^(25006|25P0[34]|42501|55000|55P03)$/;
const SYSTEM = /^E[A-Z]+$/;
/** What pg itself throws of a connection has no code. */
const OF_PG =
  /^(Connection terminated|timeout exceeded when trying|Client (has encountered|was closed)|Cannot use a pool|Query read timeout|The server does not support SSL)/;

const isOutside = (thrown: Error): boolean => {
  const code = codeOf(thrown);
  return code === "" ? OF_PG.test(thrown.message) : OUTSIDE.test(code) || SYSTEM.test(code);
};

/**
 * A connection that is no more, or a server that is going or not there yet: another connection may do. A process that
 * slept finds the transactions it was in ended by the server (25P03), and what it kept in reserve (57P05).
 */
const LOST =
  /^(08|25P0[34]|57P0[1235]|53300)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;
const LOST_BY_PG = /^(Connection terminated|timeout exceeded when trying|Client has encountered)/;

/** Whether a statement or a connection failed of the way to the server, not of what it was asked. */
export function isLost(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = codeOf(thrown);
  return code === "" ? LOST_BY_PG.test(thrown.message) : LOST.test(code);
}

/**
 * Whether a statement could not be sent whole: its end is what the server waits for before it commits anything of it.
 */
export const isUnsent = (thrown: unknown): boolean =>
  thrown instanceof Error && "syscall" in thrown && thrown.syscall === "write";

/** What pg says, and this package as well, where a connection is given up that was not made in time. */
export const CONNECT_TIMEOUT = "Connection terminated due to connection timeout";

/** Whether a connection could not be made in time, which a server that stands may not manage either. */
export const isSlow = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message === CONNECT_TIMEOUT;

/** What pg says, and this package as well, where a statement is given up because nothing came back. */
export const READ_TIMEOUT = "Query read timeout";

/** Whether a statement was given up because nothing came back: a server that stands may still be at it. */
export const isHung = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message === READ_TIMEOUT;

/** A message of its own, or the code where several addresses of a host each failed. */
const saidBy = (thrown: Error): string => (thrown.message === "" ? codeOf(thrown) : thrown.message);

/** The server answers, and has no connection, no lock or no time left. */
const BUSY = /^(53300|55P03|57014)$/;
const faultOf = (thrown: Error): StoreFault => (BUSY.test(codeOf(thrown)) ? "busy" : "unreachable");

/**
 * What a statement or a connection threw, told apart (ERR-030, class server): a server that is not
 * reached, refuses or has no room makes the store unavailable; anything else is a defect.
 */
export function postgresError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !isOutside(thrown)) return thrown;
  return new StoreUnavailableError(`The store cannot be used now: ${saidBy(thrown)}`, {
    cause: thrown,
    fault: faultOf(thrown),
  });
}

/** Two transactions that could not both be alone: 40001, or each waits for the other: 40P01. */
export const isRace = (thrown: unknown): boolean => ["40001", "40P01"].includes(codeOf(thrown));

/** The error of what lost races until it was given up: who calls may do so again. */
export const busyError = (cause: unknown): StoreUnavailableError =>
  new StoreUnavailableError("The store is busy: too many changes at once.", {
    cause,
    fault: "busy",
  });

/** What to do about a failure at the start, by its code. */
function wayOut(code: string, { user, database }: PostgresAddress): string {
  switch (code) {
    case "28P01":
    case "28000":
      return `Check user and password: the user is ${user}.`;
    case "3D000":
      return `Create it: createdb ${database}`;
    case "42501":
      return `Grant it: grant create on database "${database}" to "${user}"; or make schemas plasm and plasm_queue that belong to ${user}.`;
    case "53300":
      return "Raise max_connections of the server, or run fewer replicas.";
    case "25006":
      return "Name the primary, not a standby: the store writes.";
    default:
      return "Check that the server runs there and lets this machine in.";
  }
}

function innermost(thrown: unknown): unknown {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error ? innermost(cause) : thrown;
}

/** The error of a store that cannot be opened: where it is, what was said, and the way out. */
export function openingError(address: PostgresAddress, thrown: unknown): StoreUnavailableError {
  const inner = innermost(thrown);
  const said = inner instanceof Error ? saidBy(inner) : "unknown";
  // What this program refuses of its own accord says the way out itself.
  const hint =
    inner instanceof Error && isOutside(inner) ? ` ${wayOut(codeOf(inner), address)}` : "";
  return new StoreUnavailableError(
    `${addressText(address)} cannot be used as the store: ${said}.${hint}`,
    {
      cause: thrown,
    },
  );
}
