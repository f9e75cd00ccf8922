import {
  githubCatalog,
  httpTemplates,
  officialDocument,
  Operations,
} from "@plasm/e2e/github-document";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import type { Document, PeerDocuments } from "./document.ts";
import { only } from "./only.ts";
import { reached } from "./reached.ts";

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
