import { type OperationProcessingError, ResponseBodyError } from "oauth4webapi";
import type { TransportFailure } from "../../ports.ts";
import { type FailedRequest, failure, RunFailure } from "../../base/run-failure.ts";

/** Where the tokens of a catalog come from. */
export interface TokenEndpoint {
  readonly url: URL;
  readonly entryId: string;
}

const requestOf = (
  { url }: TokenEndpoint,
  status: number | null,
  apiText: string | null = null,
): FailedRequest => ({
  method: "POST",
  origin: url.origin,
  pathTemplate: url.pathname,
  status,
  apiText,
});

const place = ({ url }: TokenEndpoint): string => url.origin + url.pathname;

/** A token endpoint that no secret may be sent to. */
export const unusableEndpoint = (entryId: string, why: string): RunFailure =>
  new RunFailure(
    failure(
      "origin_refused",
      `The token endpoint of ${entryId} ${why}.`,
      "give it as an https URL: in the catalog as token_url, or in the settings of the provider",
    ),
  );

/** A token request without an answer. */
export function noAnswer(endpoint: TokenEndpoint, what: TransportFailure): RunFailure {
  const request = requestOf(endpoint, null);
  const name = `The token endpoint ${place(endpoint)} of ${endpoint.entryId}`;
  switch (what.kind) {
    case "timeout": {
      const again = { retryable: true, request };
      return new RunFailure(
        failure("timeout", `${name} did not answer in time.`, "try again", again),
      );
    }
    case "address_refused": {
      const fix = "only the catalog's own backend may be a private address";
      const message = `${name} is at a private address.`;
      return new RunFailure(failure("origin_refused", message, fix, { request }));
    }
    case "replay_miss": {
      const message = `POST ${place(endpoint)} is not in the recording (${what.detail}).`;
      const fix = what.fix ?? "record it first";
      return new RunFailure(failure("replay_miss", message, fix, { request }));
    }
    default: {
      const message = `${name} gave no answer (${what.kind}: ${what.detail}).`;
      const fix = "check its address and try again";
      return new RunFailure(failure("upstream_error", message, fix, { retryable: true, request }));
    }
  }
}

/** A token that another process has been refreshing for so long that nobody waits for it. */
export const refreshedElsewhere = (entryId: string): RunFailure =>
  new RunFailure(
    failure(
      "timeout",
      `Another process is refreshing the token of ${entryId}, and has not ended in time.`,
      "try again",
      { retryable: true },
    ),
  );

/** An answer that holds no token. */
export const notAToken = (endpoint: TokenEndpoint): RunFailure =>
  new RunFailure(
    failure(
      "upstream_error",
      `The token endpoint ${place(endpoint)} of ${endpoint.entryId} answered no token.`,
      "check that its address is that of the token endpoint",
      { request: requestOf(endpoint, null) },
    ),
  );

const MOST_CHARACTERS = 200;
// oxlint-disable-next-line no-control-regex -- naming them is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** What the server says, as data: one line, no secret. */
const quoted = (text: string, redact: (text: string) => string): string =>
  redact(text).replace(CONTROLS, " ").slice(0, MOST_CHARACTERS);

type GrantKind = "client_credentials" | "refresh_token" | "authorization_code" | "device_code";

/** What a server refuses, and what to do about it where that depends on what is stored. */
interface RefusedGrant {
  readonly kind: GrantKind;
  readonly remedy?: string;
}

/** What was refused, and what to do. */
const REFUSALS: Readonly<Record<GrantKind, (entryId: string) => readonly [string, string]>> = {
  client_credentials: (entryId) => [
    "client id or secret",
    `check client id, secret and scopes; plasm auth set ${entryId} --client-id ID stores them`,
  ],
  refresh_token: () => ["refresh token", "sign in again"],
  authorization_code: () => ["code", "begin the sign-in again; a code is good for one use"],
  device_code: () => ["code", "begin the sign-in again"],
};

function refused(
  endpoint: TokenEndpoint,
  { kind, remedy }: RefusedGrant,
  status: number,
  said: string,
  cause?: unknown,
): RunFailure {
  const { entryId } = endpoint;
  const [whose, fix] = REFUSALS[kind](entryId);
  return new RunFailure(
    failure(
      "auth_refused",
      `${place(endpoint)} refuses the ${whose} of ${entryId} (${status}): "${said}".`,
      remedy ?? fix,
      { request: requestOf(endpoint, status, said) },
    ),
    null,
    cause,
  );
}

/**
 * What a server says of a refresh token that will not be taken later either (RFC 6749, 5.2, and names that servers use
 * in its place). Anything else may be of the application, of the request or of the day.
 */
const OF_GRANT: ReadonlySet<string> = new Set([
  "invalid_grant",
  "bad_refresh_token",
  "invalid_refresh_token",
  "token_expired",
  "token_revoked",
]);

/** Whether a server has refused what it was asked with, such as a refresh token: the same will not be taken later either. */
export const isGrantRefused = (thrown: unknown): boolean =>
  thrown instanceof RunFailure &&
  thrown.cause instanceof ResponseBodyError &&
  [400, 401, 403].includes(thrown.cause.status) &&
  OF_GRANT.has(thrown.cause.error);

/** The status of an answer that the OAuth library could not make a token of. */
export const tokenStatus = ({ cause }: Pick<OperationProcessingError, "cause">): number | null =>
  cause instanceof Response ? cause.status : null;

/** The failure for what the OAuth library makes of an answer (RUN-124, RUN-150). */
export function tokenFailure(
  endpoint: TokenEndpoint,
  grant: RefusedGrant,
  error: unknown,
  redact: (text: string) => string,
): RunFailure {
  if (error instanceof ResponseBodyError) {
    const { error: code, error_description: more, status } = error;
    const said = quoted(more === undefined ? code : `${code}: ${more}`, redact);
    return refused(endpoint, grant, status, said, error);
  }
  const status = error instanceof Error ? tokenStatus(error) : null;
  if (status === null || status === 200) return notAToken(endpoint);
  if (status === 401 || status === 403) return refused(endpoint, grant, status, "no reason given");
  return new RunFailure(
    failure(
      "upstream_error",
      `The token endpoint ${place(endpoint)} of ${endpoint.entryId} answered ${status}.`,
      status >= 500 || status === 429 ? "try again later" : "check its address",
      { retryable: status >= 500 || status === 429, request: requestOf(endpoint, status) },
    ),
  );
}
