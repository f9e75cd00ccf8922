import type { Json, JsonObject } from "@plasm/core";
import type { RequestTemplate } from "@plasm/core/internal";
import type { RunDiagnosticCode } from "./base/diagnostic.ts";
import type { FailedRequest } from "./base/run-failure.ts";

/** A mapping over HTTP or GraphQL, or of a view, which the runtime reads itself. */
type OwnTransport = "http" | "graphql" | "view";

/** A mapping of another transport: a registered reader serves its reads. */
export type ForeignTemplate = Exclude<RequestTemplate, { readonly transport: OwnTransport }>;

/** The answer to one request of a reader. */
export interface TransportAnswer {
  readonly body: Json;
  /** its size on the wire */
  readonly bytes: number;
  /** HTTP 404 or 410 */
  readonly missing: boolean;
  /** how errors name the request */
  readonly request: FailedRequest;
  /** Returns what the API says in its body, cleaned and redacted; null if it says nothing (RUN-039). */
  said(): string | null;
}

/** One read as a reader of its transport sees it. */
export interface TransportCall {
  readonly template: ForeignTemplate;
  readonly entryId: string;
  /** the capability's name in the catalog, and how programs name it */
  readonly capability: { readonly name: string; readonly label: string };
  /** the values of the template's expressions in the order of the format's keys; undefined is nothing (RUN-010) */
  readonly values: readonly (Json | undefined)[];
  /** The value of an argument or scope of the read, if it has one. */
  argument(name: string): Json | undefined;
  /**
   * Posts JSON to the effective backend itself, with its credential, retries, budgets and recording; equal questions
   * are asked once between two effects (RUN-023, RUN-041). `name` stands for the path in messages. Throws RunFailure
   * or RunStop.
   */
  post(name: string, body: Json): Promise<TransportAnswer>;
  /** What `ask` gives for this backend: asked once per session, and again after it failed. */
  oncePerEndpoint(ask: () => Promise<string>): Promise<string>;
  /** Reports what is odd about the answer, or about its row at `index`. */
  report(code: RunDiagnosticCode, detail: string, index?: number): void;
}

/** A page of decoded rows, and where the next one begins. */
export interface TransportPage {
  /** fields by name, in the order of the API; each is decoded when it is asked for */
  readonly rows: Iterable<JsonObject>;
  /** the position behind the page, as a cursor keeps it */
  readonly position: JsonObject;
  readonly ended: boolean;
  /** size of the answer */
  readonly bytes: number;
}

/**
 * Serves the reads of one transport. A read of one row is the first page of it. `open` asks nothing yet; what it gives
 * reads the page at a position, which is empty at first. Both throw RunFailure for what a caller or an API got wrong.
 */
export interface TransportReader {
  open(call: TransportCall): (position: JsonObject) => Promise<TransportPage>;
}

/** Readers by the transport that mappings name. */
export type TransportReaders = ReadonlyMap<string, TransportReader>;
