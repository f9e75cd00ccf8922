import type { Json } from "../values/json.ts";
import type { Expression } from "./expression.ts";

/** A part of a template's path: text, or a variable with how it is encoded; `joined` to the one before without a slash. */
export type PathSegment =
  | { readonly type: "literal"; readonly value: string; readonly joined?: true }
  | {
      readonly type: "var";
      readonly name: string;
      readonly suffix: string;
      /** `path` keeps `/` as a separator (MAP-012) */
      readonly encode: "segment" | "path";
      readonly joined?: true;
    };

export interface MultipartPart {
  readonly name: string;
  readonly fileName?: Expression;
  readonly contentType?: Expression;
  readonly content: Expression;
}

/** What is done to an answer before its rows are read. */
export type Preprocess =
  | {
      readonly kind: "array_find_pluck";
      readonly path: readonly string[];
      readonly idField: string;
      readonly idVar: string;
      readonly nestedArray: string;
    }
  | {
      readonly kind: "concat_field_arrays";
      readonly path: readonly string[];
      readonly fromEach: readonly string[];
    }
  | {
      readonly kind: "string_ids_to_field_objects";
      readonly path: readonly string[];
      readonly field: string;
    }
  | {
      /** a registered function; `sets` are the session variables that it may set (RUN-105) */
      readonly kind: "function";
      readonly function: string;
      readonly sets: readonly string[];
    };

/** One sign of failure; its own `messagePath` goes before the response's. */
export type ErrorWhen = (
  | { readonly path: readonly string[]; readonly eq: Json }
  | { readonly path: readonly string[]; readonly present: true }
) & { readonly messagePath?: readonly string[] };

/** A second request whose answer is merged into the rows of the first. */
export interface AuxiliaryMerge {
  readonly method: "GET" | "HEAD";
  readonly path: readonly PathSegment[];
  readonly query?: Expression;
  readonly headers?: Expression;
  readonly fromPath: readonly string[];
  readonly intoKey: string;
}

/** Where the rows of a response are (mapping format, section 3; RUN-030, RUN-031). */
export interface ResponseShape {
  /** absent when not declared; the default key is `results` */
  readonly items?: string;
  readonly itemsPath?: readonly string[];
  readonly itemInnerKey?: string;
  /** the collection is a map, and each key goes into this member of its row; absent for a list */
  readonly keyInto?: string;
  /** the member that a value of the map goes into which is no object; absent: `value` */
  readonly valueInto?: string;
  readonly single: boolean;
  readonly wrapRootScalar: boolean;
  readonly preprocess?: Preprocess;
  readonly auxiliaryMerge?: AuxiliaryMerge;
  /** absent: the detection of RUN-041; an empty list switches it off */
  readonly errorWhen?: readonly ErrorWhen[];
  readonly messagePath?: readonly string[];
  /** whether the file has a `response` at all; RUN-040 depends on it */
  readonly declared: boolean;
}

/** A parameter of paging, and how its value follows from the page before. */
export type PageParam =
  | {
      readonly name: string;
      readonly form: "counter";
      readonly start: number;
      readonly step?: number;
    }
  | { readonly name: string; readonly form: "fixed"; readonly value: Json }
  | { readonly name: string; readonly form: "from_response"; readonly path: string }
  /** of the last row of a page, as it came */
  | { readonly name: string; readonly form: "from_last"; readonly path: string };

/** How a list goes on after its first page (mapping format, section 4; RUN-070 to RUN-076). */
export interface Pagination {
  readonly params: readonly PageParam[];
  readonly location: "query" | "body" | "link_header" | "response_next_url" | "block_range";
  readonly bodyMergePath: readonly string[];
  readonly responsePrefix: readonly string[];
  readonly stopWhen?:
    | { readonly field: string; readonly eq: Json }
    | { readonly field: string; readonly absent: true };
  readonly responseNextUrlField: string;
}

/** The methods that templates may name. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

/** How a capability is a request over HTTP or GraphQL, and how its answer is read. */
export interface HttpTemplate {
  readonly transport: "http" | "graphql";
  readonly method: HttpMethod;
  readonly path: readonly PathSegment[];
  readonly query?: Expression;
  readonly headers?: Expression;
  readonly body?: Expression;
  readonly bodyFormat: "json" | "form_urlencoded" | "multipart";
  readonly multipart?: readonly MultipartPart[];
  readonly response: ResponseShape;
  readonly pagination?: Pagination;
  readonly idempotencyHeader?: string;
}

export interface ViewTemplate {
  readonly transport: "view";
  readonly view: string;
}

/** How a capability is a call of a contract of an EVM chain. */
export interface EvmCallTemplate {
  readonly transport: "evm_call";
  readonly chain: string | number;
  readonly contract: Expression;
  readonly function: string;
  readonly args: readonly Expression[];
  readonly block?: Expression;
  readonly decode: ReadonlyMap<
    string,
    { readonly type: "input" | "output"; readonly index: number }
  >;
}

/** Where a field of an EVM log stands: in its topics, its data, or what the chain says of it. */
export type EvmLogDecode =
  | { readonly type: "topic" | "data"; readonly index: number }
  | {
      readonly type: "log_meta";
      readonly key:
        | "address"
        | "block_number"
        | "event_id"
        | "transaction_hash"
        | "log_index"
        | "removed";
    };

/** How a capability is a search of the logs of an EVM chain. */
export interface EvmLogsTemplate {
  readonly transport: "evm_logs";
  readonly chain: string | number;
  readonly contract: Expression;
  readonly event: string;
  readonly topics: readonly Expression[];
  readonly pagination?: Pagination;
  readonly decode: ReadonlyMap<string, EvmLogDecode>;
}

/** How one capability becomes requests: what mappings.yaml says, in its long form. Frozen. */
export type Template = HttpTemplate | ViewTemplate | EvmCallTemplate | EvmLogsTemplate;

/** The mappings of one catalog, by capability name. */
export type Cml = ReadonlyMap<string, Template>;
