import {
  githubCatalog,
  httpTemplates,
  officialDocument,
  Operations,
} from "@plasm/e2e/github-document";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import type { Document } from "./document.ts";
import { only } from "./only.ts";
import { reached } from "./reached.ts";

export interface PeerDocuments {
  /** GitHub's whole document */
  readonly whole: Document;
  /** of it the operations that the catalog has */
  readonly github: Document;
  readonly quay: Document;
}

/** GitHub's document names no way to log in, without which a generated server sends no token. */
const withToken = (document: Document): Document => ({
  ...document,
  security: [{ bearer: [] }],
  components: {
    ...document.components,
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
  },
});

/** What peers are made of: GitHub's own document, and quay's. */
export function peerDocuments(): PeerDocuments {
  const { document } = officialDocument();
  const operations = new Operations(document);
  const templates = [...httpTemplates(githubCatalog()).values()];
  const wanted = new Set(templates.flatMap((each) => operations.of(each)?.name ?? []));
  const whole = withToken(document);
  return { whole, github: reached(only(whole, wanted)), quay: quayDocument() };
}

/** Documents of no more operations than some tasks need, for servers that are to start at once. */
export function documentsFor(
  documents: PeerDocuments,
  tasks: readonly { readonly operations: readonly string[] }[],
): PeerDocuments {
  const needed = new Set(tasks.flatMap(({ operations }) => operations));
  return { ...documents, github: reached(only(documents.github, needed)) };
}

/** Quay's paths under `/quay`, beside GitHub's: one document for a server that takes one. */
export function mergedDocument({ github, quay }: PeerDocuments): Document {
  const moved = Object.entries(quay.paths).map(([path, item]) => [`/quay${path}`, item] as const);
  const schemas = (document: Document): object =>
    (document.components as { readonly schemas?: object } | undefined)?.schemas ?? {};
  return {
    ...github,
    paths: { ...github.paths, ...Object.fromEntries(moved) },
    components: { ...github.components, schemas: { ...schemas(github), ...schemas(quay) } },
  };
}

/** What an operation says of itself, by the name of a request: its id, summary and tags. */
export function operationOf(
  document: Document,
  name: string,
): { readonly operationId: string; readonly summary: string; readonly tags: readonly string[] } {
  const [method = "", path = ""] = name.split(" ");
  const found = document.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`no operation ${name} in the document`);
  return found as ReturnType<typeof operationOf>;
}
