import type { Json } from "../values/json.ts";
import type { HttpMethod, Template } from "./template.ts";

/** A value of a form field that is a file (RUN-038): bytes, or the address of stored ones. */
export interface AttachmentSource {
  readonly bytesBase64?: string;
  readonly uri?: string;
}

/** One part of a multipart body, its defaults filled in (MAP-016). */
export type PartDescription =
  | {
      readonly kind: "text";
      readonly name: string;
      readonly contentType?: string;
      readonly text: string;
    }
  | {
      readonly kind: "json";
      readonly name: string;
      readonly contentType: string;
      readonly value: Json;
    }
  | {
      readonly kind: "attachment";
      readonly name: string;
      readonly contentType: string;
      readonly fileName: string;
      readonly source: AttachmentSource;
    };

/** The body of a request, by the format that it is sent in. */
export type BodyDescription =
  | { readonly format: "json"; readonly value: Json }
  | { readonly format: "form_urlencoded"; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly format: "multipart"; readonly parts: readonly PartDescription[] };

/** A request as a template describes it; backend, credentials and paging come later. */
export interface RequestDescription {
  readonly transport: Exclude<Template["transport"], "view">;
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
