import { tokenCounter } from "@plasm/agent-core";
import { openPublishedCatalogs } from "@plasm/catalogs";
import type { Catalog, HttpTemplate } from "@plasm/core";
import { type OfficialDocument, officialDocument } from "@plasm/e2e/github-document";
import { getToolsFromOpenApi } from "openapi-mcp-generator";

/** What openapi-mcp-generator lists for the operations that a catalog maps, in o200k tokens. */
export interface GeneratedCost {
  readonly operations: number;
  /** capabilities that are no operation of the document, such as those over GraphQL */
  readonly without: readonly string[];
  readonly tokens: number;
}

type Part = Readonly<Record<string, unknown>>;
type Paths = Readonly<Record<string, Readonly<Record<string, Part>>>>;

interface Document extends OfficialDocument {
  readonly openapi: string;
  readonly info: Part;
  readonly servers: readonly Part[];
}

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null;

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

/** The operations of a document that a catalog's requests are, as `get /repos/{owner}/{repo}`. */
function operationsOf(
  catalog: Catalog,
  paths: Paths,
): { readonly found: ReadonlySet<string>; readonly without: readonly string[] } {
  const known = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [`${method} ${unnamed(path)}`, `${method} ${path}`]),
    ),
  );
  const found = new Set<string>();
  const without: string[] = [];
  for (const [name, template] of catalog.cml) {
    const candidates = template.transport === "http" ? templatePaths(template) : [];
    const method = template.transport === "http" ? template.method.toLowerCase() : "";
    const [operation] = candidates.flatMap((path) => known.get(`${method} ${path}`) ?? []);
    if (operation === undefined) without.push(name);
    else found.add(operation);
  }
  return { found, without };
}

/** All components that a part refers to, whatever leads there. */
function referredTo(parts: unknown, document: Document, found: Set<string>): void {
  if (!isPart(parts)) return;
  const ref = parts["$ref"];
  if (typeof ref === "string" && !found.has(ref)) {
    found.add(ref);
    const [kind = "", name = ""] = ref.replace("#/components/", "").split("/");
    referredTo(document.components[kind]?.[name], document, found);
  }
  for (const inner of Object.values(parts)) referredTo(inner, document, found);
}

/**
 * The document cut down to some operations and what their requests refer to; tools are made of nothing else,
 * and an eighth of the time is enough.
 */
function cutDown(document: Document, operations: ReadonlySet<string>): object {
  const paths: Record<string, Record<string, Part>> = {};
  for (const operation of operations) {
    const [method = "", path = ""] = operation.split(" ");
    const whole = document.paths[path]?.[method];
    if (whole === undefined) continue;
    paths[path] ??= {};
    paths[path][method] = { ...whole, responses: { default: { description: "" } } };
  }
  const refs = new Set<string>();
  referredTo(paths, document, refs);
  const components: Record<string, Record<string, Part>> = {};
  for (const ref of refs) {
    const [kind = "", name = ""] = ref.replace("#/components/", "").split("/");
    const component = document.components[kind]?.[name];
    if (component === undefined) continue;
    components[kind] ??= {};
    components[kind][name] = component;
  }
  const { openapi, info, servers } = document;
  return { openapi, info, servers, paths, components };
}

/** The tools that openapi-mcp-generator makes of GitHub's document for what the catalog maps, references followed as its servers do, listed as they list them. */
export async function measureGenerated(): Promise<GeneratedCost> {
  const count = await tokenCounter();
  const registry = await openPublishedCatalogs(["github"]);
  const catalog = registry.get("github")?.catalog;
  if (catalog === undefined) throw new Error("The catalog of GitHub is not published");
  const document = officialDocument().document as Document;
  const { found, without } = operationsOf(catalog, document.paths);
  const part = cutDown(document, found);
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
