/** An OpenAPI document, as far as its operations are moved about here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: object;
  readonly security?: readonly object[];
}

/** What peers are made of. */
export interface PeerDocuments {
  /** GitHub's whole document */
  readonly whole: Document;
  /** of it the operations that the catalog has */
  readonly github: Document;
  readonly quay: Document;
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
