import type { Credential } from "../auth/credential.ts";
import type { Redactor } from "../auth/redactor.ts";
import type { Ports, TransportResponse } from "../ports.ts";
import type { Backend } from "../request/effective-backend.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { RequestWatch, StartedRequest } from "../run-observer.ts";
import type { SentRequest } from "../sent-request.ts";
import type { Budget } from "./budget.ts";
import type { Gate } from "./gate.ts";
import type { RatePauses } from "./rate-pauses.ts";

/** A response, with the URL it came from after redirects. */
export interface Exchange {
  readonly response: TransportResponse;
  readonly url: string;
}

/** The origin that a response came from, after redirects of the request. */
export const originOf = ({ url }: Exchange, request: WireRequest): string =>
  url === request.url ? request.origin : new URL(url).origin;

/** What every request of one run shares. */
export interface Wire {
  readonly ports: Ports;
  readonly budget: Budget;
  readonly gate: Gate;
  readonly pauses: RatePauses;
  readonly redactor: Redactor;
  readonly signal: AbortSignal | undefined;
  /** null where nobody watches */
  readonly onSending: (request: StartedRequest) => RequestWatch | null;
  readonly onSent: (request: SentRequest) => void;
}

/** Whom a request is for: its catalog's backend and credential, and the node it is counted under. */
export interface Party {
  readonly backend: Backend;
  readonly credential: Credential;
  readonly node: string;
}
