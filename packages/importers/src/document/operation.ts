import type { DocumentObject } from "../json.ts";
import type { DocumentAnswer } from "./answer.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A piece of a path between two slashes, or what is `joined` to the one before without a slash. */
export type PathPiece =
  | { readonly kind: "literal"; readonly value: string }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly suffix: string;
      readonly joined?: true;
      /** what its value is made of, slashes included: `projects/{}/topics/{}`; empty where that is not said */
      readonly expands?: string;
    };

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: DocumentObject;
  readonly description: string | undefined;
  /** how a list is written: `repeat` the name, or join by this sign */
  readonly style: ListStyle;
  /**
   * how an object is written: `deep` as `name[member]`, `members` by the names of its members, or as JSON; `joined`, its
   * members in one text; `numbered`, with dots and numbers; `within` as `deep` is, though the document says that only of what it is in
   */
  readonly object: "deep" | "within" | "members" | "joined" | "json" | "numbered";
  /** what is sent in any case, since the path of the document has it */
  readonly always?: string;
  /** its name alone says what it says: `?acl` */
  readonly mayBeEmpty?: true;
  /** the members of an answer that hold what it takes for the next page, where only the document's text says it */
  readonly heldAt?: readonly string[];
}

/** The methods of calls, in the order in which those of one path are read. */
export const METHODS: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

export type ListStyle = "repeat" | "," | " " | "|";

export interface RequestBody {
  readonly format: "json" | "form" | "multipart" | "binary";
  /** the type that a request has: of a file where the document allows one alone, of JSON that is not plain */
  readonly mediaType?: string;
  /** what is sent is a text and no file */
  readonly isText?: true;
  readonly required: boolean;
  /** the document says in so many words that it need not be there */
  readonly mayBeLeftOut?: boolean;
  /** the document says nothing of a body, where a call is likely to take one */
  readonly isUnsaid?: true;
  readonly schema: DocumentObject;
  /** how lists are written that are members of a form: by a name with `[]`, joined, or as JSON; repeated where nothing is said */
  readonly lists: ReadonlyMap<string, ListStyle | "[]" | "json">;
}

/** What a call is sent as, whose place is another. */
export interface PlacedCall {
  readonly method: Method;
  readonly segments: readonly PathPiece[];
  /** the variables of the place by what they are sent as */
  readonly inQuery: ReadonlyMap<string, string>;
  readonly inBody: ReadonlyMap<string, string>;
}

/** An operation of a document that a catalog may have. */
export interface Operation {
  readonly method: Method;
  /** as the document writes it */
  readonly path: string;
  readonly segments: readonly PathPiece[];
  /** the path with each variable as `{}`, which is the same however variables are called */
  readonly template: string;
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly isDeprecated: boolean;
  readonly tags: readonly string[];
  readonly pathParameters: ReadonlyMap<string, Parameter>;
  readonly query: readonly Parameter[];
  readonly cookies: readonly Parameter[];
  readonly headers: readonly Parameter[];
  readonly body: RequestBody | null;
  /** it asks for what there is, and changes nothing: a GET, and a POST by which a list is searched */
  readonly reads: boolean;
  readonly answer: DocumentAnswer;
  /** it only answers that it was taken on: 202 */
  readonly isTakenOn: boolean;
  /** what it answers is XML of this type and schema */
  readonly xml: { readonly schema: DocumentObject; readonly mediaType: string } | null;
  /** the address that it alone has, or only its path where its host is not said; null where it has the document's */
  readonly server: string | null;
  /** what it is sent as, where its document says that it belongs elsewhere than its path (ADR 0155) */
  readonly sent?: PlacedCall;
  /** what of it a catalog does not have */
  readonly leftOut: readonly string[];
}

const isJoined = (segment: PathPiece): boolean =>
  segment.kind === "variable" && segment.joined === true;

/** How many variables a path has. */
export const variablesIn = (segments: readonly PathPiece[]): number =>
  segments.filter(({ kind }) => kind === "variable").length;

export const templateOf = (segments: readonly PathPiece[]): string =>
  segments
    .map((segment) => {
      const text =
        segment.kind === "literal"
          ? segment.value
          : `${segment.expands === undefined || segment.expands === "" ? "{}" : segment.expands}${segment.suffix}`;
      return isJoined(segment) ? text : `/${text}`;
    })
    .join("");

/** The end of a path that says in which form it answers: `.json`, or nothing. */
export const formOf = (segments: readonly PathPiece[]): string => {
  const last = segments.at(-1);
  const end = last?.kind === "variable" ? last.suffix : (last?.value ?? "");
  return /\.json$/i.exec(end)?.[0] ?? "";
};

/** The path of the list that the path of one of its rows goes on from. */
export const listAbove = (home: string): string =>
  `${home.slice(0, home.lastIndexOf("/"))}${/\.json$/i.exec(home)?.[0] ?? ""}`;

/** How an operation is called in what is told of it. */
export const calledOf = ({
  method,
  path,
  sent,
}: Pick<Operation, "method" | "path" | "sent">): string => `${sent?.method ?? method} ${path}`;

const bare = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();

/**
 * What an author called an operation: frameworks put its path and method behind (`Add_voice_v1_voices_add_post` of
 * `POST /v1/voices/add`), which say nothing more. `operationId` as it is where they do not stand there, or alone.
 */
export function authorsName(operationId: string, method: string, path: string): string {
  const end = bare(path) + method.toLowerCase();
  let left = bare(operationId).length - end.length;
  if (left < 2 || !bare(operationId).endsWith(end)) return operationId;
  let length = 0;
  while (left > 0) {
    if (bare(operationId.charAt(length)) !== "") left -= 1;
    length += 1;
  }
  return operationId.slice(0, length);
}
