/** Why no catalog can be made of a document: what was found, what is allowed, what to do. */
export class OpenApiError extends Error {
  override readonly name = "OpenApiError";
}
