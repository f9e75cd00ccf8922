import type { Document } from "./document.ts";

const METHODS = ["get", "put", "post", "delete", "patch"];

/** The operations of a document that are wanted, by names such as `GET /user`. */
export function only(document: Document, wanted: ReadonlySet<string>): Document {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!METHODS.includes(method) || !wanted.has(`${method.toUpperCase()} ${path}`)) continue;
      (paths[path] ??= {})[method] = operation;
    }
  }
  return { ...document, paths };
}
