export { catalogFromGraphql, introspectionQuery, isGraphql } from "./catalog-from-graphql.ts";
export {
  catalogFromOpenApi,
  type CatalogFromDocument,
  type FromOpenApiOptions,
} from "./catalog-from-open-api.ts";
export {
  catalogFromText,
  type FromTextOptions,
  type MadeCatalog,
  type TextToTake,
} from "./catalog-from-text.ts";
export {
  answerImport,
  type ImportAnswer,
  type ImportPort,
  type ImportRequest,
} from "./import-thread.ts";
export { clause } from "./names/clause.ts";
export { hostId, idWords } from "./names/catalog-id.ts";
export { singularWords } from "./names/singular.ts";
export { pascal, snake, wordsOf } from "./names/words.ts";
export { OpenApiError } from "./open-api-error.ts";
export { parseOpenApi } from "./document/parse-document.ts";
export {
  type DocumentPlace,
  type JoinedDocument,
  joinDocumentFiles,
} from "./document/document-files.ts";
