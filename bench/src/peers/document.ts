/** An OpenAPI document, as far as its operations are moved about here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: object;
  readonly security?: readonly object[];
}
