import {
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { PNG } from "./fixture-media.ts";

const resource = (name: string, mimeType: string): Resource => ({
  uri: `test://${name}`,
  name,
  description: `The ${name}`,
  mimeType,
});

export const RESOURCES: readonly Resource[] = [
  resource("static-text", "text/plain"),
  resource("static-binary", "image/png"),
  resource("watched-resource", "text/plain"),
];

export const TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: "test://template/{id}/data",
    name: "template",
    description: "Data of an id",
    mimeType: "application/json",
  },
];

/** Throws ResourceNotFoundError. */
export function readResource(uri: string): ReadResourceResult {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
  const text = { uri, mimeType: "text/plain" };
  switch (uri) {
    case "test://static-text":
      return { contents: [{ ...text, text: "This is the content of the static text resource." }] };
    case "test://watched-resource":
      return { contents: [{ ...text, text: "This may change." }] };
    case "test://static-binary":
      return { contents: [{ uri, mimeType: "image/png", blob: PNG }] };
    default:
      throw new ResourceNotFoundError(uri);
  }
}
