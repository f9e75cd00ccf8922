import { tokenCounter } from "@plasm/agent-core/internal";
import { openPublishedCatalogs } from "@plasm/catalogs";
import type { Catalog } from "@plasm/core";
import type { HttpTemplate } from "@plasm/core/internal";
import { officialDocument } from "@plasm/e2e/github-document";
import { getToolsFromOpenApi } from "openapi-mcp-generator";
import type { Document } from "../peers/document.ts";
import { only } from "../peers/only.ts";
import { reached } from "../peers/reached.ts";

/** What openapi-mcp-generator lists for the operations that a catalog maps, in o200k tokens. */
export interface GeneratedCost {
  readonly operations: number;
  /** capabilities that are no operation of the document, such as those over GraphQL */
  readonly without: readonly string[];
  readonly tokens: number;
}

/** A path with its variables unnamed: catalogs and documents name them differently. */
const unnamed = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

/** What the path of a template may be in a document whose last variable holds several segments, or none: `heads/main`. */
function templatePaths({ path }: HttpTemplate): readonly string[] {
  const segments = path.map((segment) =>
    segment.type === "literal" ? segment.value : `{}${segment.suffix}`,
  );
  const own = `/${segments.join("/")}`;
  return [own, own.replace(/\/[^/{}]+\/\{\}$/, "/{}"), `${own}/{}`];
}

/** The operations of a document that a catalog's requests are, as `GET /repos/{owner}/{repo}`. */
function operationsOf(
  catalog: Catalog,
  { paths }: Document,
): { readonly found: ReadonlySet<string>; readonly without: readonly string[] } {
  const known = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => {
        const name = method.toUpperCase();
        return [`${name} ${unnamed(path)}`, `${name} ${path}`];
      }),
    ),
  );
  const found = new Set<string>();
  const without: string[] = [];
  for (const [name, template] of catalog.cml) {
    const candidates = template.transport === "http" ? templatePaths(template) : [];
    const method = template.transport === "http" ? template.method : "";
    const [operation] = candidates.flatMap((path) => known.get(`${method} ${path}`) ?? []);
    if (operation === undefined) without.push(name);
    else found.add(operation);
  }
  return { found, without };
}

/** A document whose operations do not say what they answer: tools are made of nothing of it, in an eighth of the time. */
function withoutAnswers(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const silent = Object.entries(item).map(([method, operation]) => {
      return [method, { ...(operation as object), responses: { default: { description: "" } } }];
    });
    return [path, Object.fromEntries(silent)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The tools that openapi-mcp-generator makes of GitHub's document for what the catalog maps, references followed as its servers do, listed as they list them. */
export async function measureGenerated(): Promise<GeneratedCost> {
  const count = await tokenCounter();
  const registry = await openPublishedCatalogs(["github"]);
  const catalog = registry.get("github")?.catalog;
  if (catalog === undefined) throw new Error("The catalog of GitHub is not published");
  const { document } = officialDocument();
  const { found, without } = operationsOf(catalog, document);
  const part = reached(withoutAnswers(only(document, found)));
  const tools = await getToolsFromOpenApi(part as never, { dereference: true });
  const listed = tools.map(({ name, description, inputSchema }) => {
    return { name, description, inputSchema };
  });
  return { operations: tools.length, without, tokens: count(JSON.stringify(listed)) };
}

/** The comparison as a line: the rows of the same operations beside the tools. */
export function generatedText(
  { operations, without, tokens }: GeneratedCost,
  rows: number,
): string {
  const share = ((100 * rows) / tokens).toFixed(1);
  const missing = without.length === 0 ? "" : `, without ${without.join(", ")}`;
  return `github: ${rows} tokens of rows beside ${tokens} of openapi-mcp-generator's ${operations} tools for the same operations${missing}: ${share} %`;
}
