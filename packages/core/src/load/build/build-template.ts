import type {
  EvmCallTemplate,
  EvmLogsTemplate,
  HttpTemplate,
  MultipartPart,
  Template,
} from "../../mapping/template.ts";
import type { EvmCallDoc, EvmLogsDoc, HttpDoc, TemplateDoc } from "../format/template-shape.ts";
import type { ResponseDefaultsDoc } from "../format/response-shape.ts";
import { buildExpression } from "./build-expression.ts";
import { buildPagination } from "./build-pagination.ts";
import { buildResponse } from "./build-response.ts";
import { given } from "./given.ts";

/** A template in its long form; `defaults` are what its catalog says of every answer. */
export function buildTemplate(doc: TemplateDoc, defaults?: ResponseDefaultsDoc): Template {
  switch (doc.transport) {
    case "view":
      return doc;
    case "evm_call":
      return buildEvmCall(doc);
    case "evm_logs":
      return buildEvmLogs(doc);
    default:
      return buildHttp(doc, defaults);
  }
}

function buildHttp(doc: HttpDoc, defaults: ResponseDefaultsDoc | undefined): HttpTemplate {
  return {
    transport: doc.transport,
    method: doc.method,
    path: doc.path,
    ...given("query", doc.query && buildExpression(doc.query)),
    ...given("headers", doc.headers && buildExpression(doc.headers)),
    ...given("body", doc.body && buildExpression(doc.body)),
    bodyFormat: doc.body_format,
    ...given("multipart", doc.multipart?.parts.map(buildPart)),
    response: buildResponse(doc.response, defaults),
    ...given("pagination", doc.pagination && buildPagination(doc.pagination)),
    ...given("idempotencyHeader", doc.idempotency?.header),
  };
}

function buildPart(doc: NonNullable<HttpDoc["multipart"]>["parts"][number]): MultipartPart {
  return {
    name: doc.name,
    ...given("fileName", doc.file_name && buildExpression(doc.file_name)),
    ...given("contentType", doc.content_type && buildExpression(doc.content_type)),
    content: buildExpression(doc.content),
  };
}

function buildEvmCall(doc: EvmCallDoc): EvmCallTemplate {
  return {
    transport: doc.transport,
    chain: doc.chain,
    contract: buildExpression(doc.contract),
    function: doc.function,
    args: doc.args.map(buildExpression),
    ...given("block", doc.block && buildExpression(doc.block)),
    decode: doc.decode,
  };
}

function buildEvmLogs(doc: EvmLogsDoc): EvmLogsTemplate {
  return {
    transport: doc.transport,
    chain: doc.chain,
    contract: buildExpression(doc.contract),
    event: doc.event,
    topics: doc.topics.map(buildExpression),
    ...given("pagination", doc.pagination && buildPagination(doc.pagination)),
    decode: doc.decode,
  };
}
