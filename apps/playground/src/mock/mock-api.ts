import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import type { InPageApi } from "../engine/page-transport.ts";
import { bodyAsAsked, mediaBody } from "./mock-body.ts";
import {
  type DocumentMap,
  type DocumentValue,
  followed,
  isMap,
  operationAt,
} from "./operation-at.ts";

const IS_JSON = /^application\/([\w.+-]*\+)?json(;|$)/;

interface Answer {
  readonly status: number;
  /** null without a body */
  readonly media: DocumentMap | null;
}

/** The answer of an operation that went well: that of the lowest status of 2xx. */
function answerOf(root: DocumentMap, operation: DocumentMap): Answer {
  const responses = isMap(operation["responses"]) ? operation["responses"] : {};
  const [found] = Object.entries(responses)
    .map(([code, response]) => ({ code, response: followed(root, response) }))
    .filter(({ code }) => /^2(\d\d|XX)$/i.test(code) || code === "default")
    .toSorted((a, b) => a.code.localeCompare(b.code));
  if (found === undefined) return { status: 204, media: null };
  const status = /^\d+$/.test(found.code) ? Number(found.code) : 200;
  const content = isMap(found.response) ? found.response["content"] : undefined;
  const types = isMap(content) ? Object.entries(content) : [];
  const [, media] = types.find(([type]) => IS_JSON.test(type)) ?? types[0] ?? [];
  return { status, media: isMap(media) ? media : null };
}

function parsed(text: string): DocumentValue {
  try {
    return JSON.parse(text) as DocumentValue;
  } catch {
    return null;
  }
}

/** What any token endpoint says: a mock takes every credential. */
const TOKEN = { access_token: "none", token_type: "bearer", expires_in: 3600 };

const asksForToken = (sent: string): boolean => /(^|&)grant_type=/.test(sent);

/** A document of OpenAPI 3, of one of Swagger 2.0 too: the library changes what it is given. */
function openApi3(document: DocumentMap): DocumentMap {
  if (document["swagger"] === undefined) return document;
  const made: unknown = upgradeFromTwoToThree(
    structuredClone({ ...document, swagger: "2.0" }) as Parameters<typeof upgradeFromTwoToThree>[0],
  );
  return isMap(made) ? made : document;
}

/**
 * An API that answers as a document says it would: each operation with its example, else with what its schema describes.
 * It keeps nothing: what was created is not in its lists (SURF-59).
 */
export function mockApi(document: DocumentMap): InPageApi {
  const root = openApi3(document);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const sent = await request.text();
    if (asksForToken(sent)) return Response.json(TOKEN);
    const found = operationAt(root, request.method, pathname);
    if (found === null) {
      const message = `the document has no ${request.method} ${pathname}`;
      return Response.json({ message }, { status: 404 });
    }
    const { status, media } = answerOf(root, found.operation);
    if (media === null)
      // Some documents do not say what their reads answer.
      return request.method === "GET" && status !== 204
        ? Response.json({}, { status })
        : new Response(null, { status: 204 });
    const body = bodyAsAsked(mediaBody(root, media), found.variables, parsed(sent));
    return Response.json(body, { status });
  };
}
