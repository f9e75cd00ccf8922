import type { Json } from "../values/value-type.ts";
import type { CapabilityKind, Cgs } from "../model/model.ts";
import type { ProjectedOverlay } from "../model/overlay.ts";

/**
 * A part of a catalog's files that was left out when it was loaded, since it is wrong or needs something that
 * is: it is in neither graph nor mappings.
 */
export interface DroppedPart {
  readonly kind:
    | "capability"
    | "relation"
    | "field"
    | "entity"
    | "view"
    | "value"
    | "schema_overlay"
    | "key";
  /** its key path in the files: `capabilities.movie_popular` */
  readonly part: string;
  /** what it is called: `movie_popular`, `Movie.reviews` */
  readonly name: string;
  /** the entity it belongs to, or that it is */
  readonly entity?: string;
  /** what programs call it by: a label, a relation, a field */
  readonly label?: string;
  /** the kind of a capability, as far as it can be read */
  readonly does?: CapabilityKind;
  /** what is wrong, in words, with the place in the files */
  readonly why: string;
}

/**
 * One loaded catalog: graph, mappings and the digest of both (RUN-170).
 * `digest` is the effective digest where an overlay or a backend override applies (RUN-171).
 */
export interface Catalog {
  readonly entryId: string;
  readonly digest: string;
  /** the digest of the files alone, where `digest` is an effective one (RUN-172) */
  readonly base?: string;
  readonly cgs: Cgs;
  readonly cml: Cml;
  /** what the files have and `cgs` and `cml` have not; absent if nothing was left out */
  readonly dropped?: readonly DroppedPart[];
  /** the tenant's own schema, which `cgs` and `cml` include already (RUN-103) */
  readonly overlay?: ProjectedOverlay;
}

/** Why a request cannot be built (mapping format: the *run* rules). */
export interface MappingError {
  readonly code: "argument_missing" | "argument_invalid";
  /** The requirement: `MAP-012`. */
  readonly rule: string;
  /** The variable at fault, if one is. */
  readonly variable?: string;
  /** Where in the template: `query.ids`. */
  readonly place: string;
  /** What was found and what is allowed, in one sentence. */
  readonly message: string;
}

/** What evaluating a template gave, or every error in it. */
export type MappingResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly MappingError[] };

/** A value of a form field that is a file (RUN-038): bytes, or the address of stored ones. */
export interface AttachmentSource {
  readonly bytesBase64?: string;
  readonly uri?: string;
}

/** One part of a multipart body, its defaults filled in (MAP-016). */
export type PartDescription =
  | TextPart
  | {
      readonly kind: "json";
      readonly name: string;
      readonly contentType: string;
      readonly value: Json;
    }
  | AttachmentPart;

/** A part that is text. */
export interface TextPart {
  readonly kind: "text";
  readonly name: string;
  readonly contentType?: string;
  readonly text: string;
}

/** A part that is a file. */
export interface AttachmentPart {
  readonly kind: "attachment";
  readonly name: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly source: AttachmentSource;
}

/** The body of a request, by the format that it is sent in. */
export type BodyDescription =
  | { readonly format: "json"; readonly value: Json }
  | { readonly format: "form_urlencoded"; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly format: "multipart"; readonly parts: readonly PartDescription[] }
  | { readonly format: "binary"; readonly part: AttachmentPart | TextPart };

/** A request as a template describes it; backend, credentials and paging come later. */
export interface RequestDescription {
  readonly transport: Exclude<RequestTemplate["transport"], "view">;
  readonly method: HttpMethod;
  /** Encoded, with a leading slash; or an absolute URL (MAP-011). */
  readonly path: string;
  /** The path with its variables as `{name}`, for messages (RUN-142). */
  readonly pathTemplate: string;
  /** Not yet encoded; arrays repeat their key. */
  readonly query: readonly (readonly [string, string])[];
  /** No name twice, case ignored. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: BodyDescription;
}

/** An expression of a request template (mapping format, section 2). Gives a value or nothing. */
export type Expression =
  | { readonly type: "var"; readonly name: string }
  | { readonly type: "const"; readonly value: Json }
  | { readonly type: "object"; readonly fields: readonly (readonly [string, Expression])[] }
  | { readonly type: "array"; readonly elements: readonly Expression[] }
  | {
      readonly type: "if";
      readonly condition: Condition;
      readonly thenExpr: Expression;
      readonly elseExpr: Expression;
    }
  | { readonly type: "join"; readonly sep: string; readonly expr: Expression }
  | {
      readonly type: "format";
      readonly template: string;
      readonly vars: ReadonlyMap<string, Expression>;
    }
  | { readonly type: "call"; readonly function: string; readonly args: readonly Expression[] };

export type Condition =
  | { readonly type: "exists"; readonly name: string }
  | { readonly type: "equals"; readonly left: Expression; readonly right: Expression }
  | { readonly type: "bool"; readonly expr: Expression };

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
  /** of a list each value is a part of this name */
  readonly repeat?: true;
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
) & {
  readonly messagePath?: readonly string[];
  /** an effect that is answered so may have happened all the same */
  readonly inDoubt?: true;
};

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
/** A member of an answer in XML, as JSON has it (MAP-035). */
export interface XmlMember {
  /** it is a list: of elements of this name within its own, or of its own elements */
  readonly list?: string;
  /** its text is no text; absent: it is */
  readonly type?: "number" | "boolean" | "object";
  /** its element has another name, or it is the attribute `@name` */
  readonly from?: string;
  /** it is an object whose names stand in the answer: what each of its entries is called, which have a key and a value */
  readonly map?: string;
}

export interface ResponseShape {
  /** it is XML: its members by their path, `boats/tags`, that are not one text or object under their own names */
  readonly xml?: ReadonlyMap<string, XmlMember>;
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
      /**
       * where it starts, and whether it counts pages or rows, is assumed: the second page shows it (RUN-190); the first
       * is asked for without it, or with its start
       */
      readonly assumed?: "omit" | "send";
    }
  | {
      readonly name: string;
      readonly form: "fixed";
      readonly value: Json;
      /** how many rows the API gives by itself, as its document says: not all of them give as many as are asked for (RUN-200) */
      readonly usual?: number;
    }
  /** how many rows an answer has, where a list has no pages: those that it gives by itself, and at most (RUN-201) */
  | {
      readonly name: string;
      readonly form: "size";
      readonly usual?: number;
      readonly most?: number;
    }
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

/** How a member of a query that is written with dots and numbers is called (MAP-026). */
export interface NumberedMember {
  /** what its items are called; absent: `member` */
  readonly list?: string;
  /** its items stand in its own name, which is then that of the items */
  readonly flat?: true;
  /** what it is called itself */
  readonly name?: string;
  /** it has names that a caller chooses: what each of its entries is called */
  readonly map?: string;
}

/** The methods that templates may name. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

/** How a capability is a request over HTTP or GraphQL, and how its answer is read. */
export interface HttpTemplate {
  readonly transport: "http" | "graphql";
  readonly method: HttpMethod;
  readonly path: readonly PathSegment[];
  readonly query?: Expression;
  /** the members of `query` whose objects are written as a form writes them, in place of JSON text */
  readonly queryBrackets?: readonly string[];
  /** the members of `query` that are written with dots and numbers, and what they hold, by path */
  readonly queryNumbered?: ReadonlyMap<string, NumberedMember>;
  readonly headers?: Expression;
  readonly body?: Expression;
  readonly bodyFormat: "json" | "form_urlencoded" | "multipart" | "binary";
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
export type RequestTemplate = HttpTemplate | ViewTemplate | EvmCallTemplate | EvmLogsTemplate;

/** The mappings of one catalog, by capability name. */
export type Cml = ReadonlyMap<string, RequestTemplate>;
