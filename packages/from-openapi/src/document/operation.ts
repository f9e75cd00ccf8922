import type { JsonObject } from "../json.ts";
import type { Answer } from "./answer.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A piece of a path between two slashes. */
export type Segment =
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "variable"; readonly name: string; readonly suffix: string };

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  readonly description: string | undefined;
  /** how a list is written: `repeat` the name, or join by this sign */
  readonly style: "repeat" | "," | " " | "|";
}

export interface RequestBody {
  readonly format: "json" | "form" | "multipart";
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** An operation of a document that a catalog may have. */
export interface Operation {
  readonly method: Method;
  /** as the document writes it */
  readonly path: string;
  readonly segments: readonly Segment[];
  /** the path with each variable as `{}`, which is the same however variables are called */
  readonly template: string;
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly isDeprecated: boolean;
  readonly tags: readonly string[];
  readonly pathParameters: ReadonlyMap<string, Parameter>;
  readonly query: readonly Parameter[];
  readonly headers: readonly Parameter[];
  readonly body: RequestBody | null;
  readonly answer: Answer;
  /** what of it a catalog does not have */
  readonly leftOut: readonly string[];
}

export const templateOf = (segments: readonly Segment[]): string =>
  segments
    .map((segment) => `/${segment.kind === "literal" ? segment.value : `{}${segment.suffix}`}`)
    .join("");

/** How an operation is called in what is told of it. */
export const calledOf = ({ method, path }: Pick<Operation, "method" | "path">): string =>
  `${method} ${path}`;
