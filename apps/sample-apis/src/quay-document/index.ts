/** Quay's OpenAPI document, without the servers that answer it. */
export { quayDocument } from "../quay/openapi-document.ts";
