import type { HttpTemplate } from "@plasm/core/internal";
import { isMultiSegment } from "./multi-segment.ts";
import type { OfficialDocument, Part } from "./official-document.ts";

/** A schema of the document, its references followed and its alternatives taken together. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  /** a regular expression that a text has to match */
  readonly pattern?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly items?: Part;
  readonly properties: Readonly<Record<string, Part>>;
}

export interface Operation {
  /** `PATCH /repos/{owner}/{repo}` */
  readonly name: string;
  readonly deprecated: boolean;
  /** schemas of query parameters by name */
  readonly query: ReadonlyMap<string, Part>;
  /** in the order of the path */
  readonly pathParameters: readonly (readonly [name: string, schema: Part])[];
  /** null where the operation takes no JSON */
  readonly body: Part | null;
  /** schemas of answers by status: plain JSON first, then GitHub's own media types */
  readonly answers: ReadonlyMap<number, readonly Part[]>;
}

const isPart = (value: unknown): value is Part =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const partOf = (value: unknown): Part => (isPart(value) ? value : {});
const partsOf = (value: unknown): readonly Part[] =>
  Array.isArray(value) ? value.filter(isPart) : [];

/** What a path matches whose last parameter may hold several segments; placeholders stand for the others. */
function wide(path: string): RegExp {
  const escaped = path.replaceAll(/[.+]/g, String.raw`\$&`);
  const open = escaped.replace(/\/\{[^}]*\}$/, "/.+").replaceAll(/\{[^}]*\}/g, String.raw`\{\}`);
  return new RegExp(`^${open}$`);
}

const longest = (paths: readonly string[]): string | undefined =>
  paths.toSorted((a, b) => b.length - a.length)[0];

/** GitHub's document, asked by what a mapping sends. */
export class Operations {
  readonly #document: OfficialDocument;

  constructor(document: OfficialDocument) {
    this.#document = document;
  }

  /** The operation that a request is, literal segments before parameters, more before fewer. */
  ofRequest(method: string, path: string): Operation | undefined {
    const fitting = this.#paths(method).filter((each) => {
      const open = isMultiSegment(this.#document, each) ? each.replace(/\{[^}]*\}$/, ".+") : each;
      const escaped = open.replaceAll(/\{[^}]*\}/g, "[^/]+");
      return new RegExp(`^${escaped}$`).test(path);
    });
    const parameters = (each: string): number => each.split("{").length;
    const [first] = fitting.toSorted(
      (a, b) => parameters(a) - parameters(b) || b.length - a.length,
    );
    return first === undefined ? undefined : this.#operation(method, first);
  }

  /** The operation that a template's requests are, undefined if the document has none. */
  of({ method, path }: Pick<HttpTemplate, "method" | "path">): Operation | undefined {
    const plain = `/${path
      .map((segment) => (segment.type === "literal" ? segment.value : `{}${segment.suffix}`))
      .join("/")}`;
    const paths = this.#paths(method);
    const same = paths.find((each) => each.replaceAll(/\{[^}]*\}/g, "{}") === plain);
    // A parameter at the end may hold several segments: `heads/main`.
    const found =
      same ??
      longest(
        paths.filter((each) => isMultiSegment(this.#document, each) && wide(each).test(plain)),
      );
    return found === undefined ? undefined : this.#operation(method, found);
  }

  schema(part: Part): Schema {
    const own = this.#resolve(part);
    const inner = ["allOf", "oneOf", "anyOf"].flatMap((key) => partsOf(own[key]));
    const merged = inner.map((each) => this.schema(each));
    const properties = Object.assign(
      {},
      ...merged.map((each) => each.properties),
      own["properties"],
    );
    const first = merged.find(({ type }) => type !== "null");
    return { ...first, ...(own as Partial<Schema>), properties };
  }

  /** The schemas of which a value fits one, none if there is no choice. */
  alternatives(part: Part): readonly Part[] {
    const own = this.#resolve(part);
    return [...partsOf(own["oneOf"]), ...partsOf(own["anyOf"])];
  }

  /** Of alternatives that of a text, else as `schema`: a workflow is a number or the name of a file. */
  textSchema(part: Part): Schema {
    const all = this.alternatives(part).map((each) => this.schema(each));
    return all.find(({ type }) => type === "string") ?? this.schema(part);
  }

  #resolve(part: Part): Part {
    const ref = part["$ref"];
    if (typeof ref !== "string") return part;
    const [kind = "", name = ""] = ref.replace("#/components/", "").split("/");
    return this.#resolve(partOf(this.#document.components[kind]?.[name]));
  }

  #paths(method: string): readonly string[] {
    return Object.entries(this.#document.paths).flatMap(([path, operations]) =>
      method.toLowerCase() in operations ? [path] : [],
    );
  }

  #operation(method: string, path: string): Operation {
    const own = partOf(this.#document.paths[path]?.[method.toLowerCase()]);
    const parameters = partsOf(own["parameters"]).map((each) => this.#resolve(each));
    const at = (place: string): readonly (readonly [string, Part])[] =>
      parameters
        .filter((each) => each["in"] === place)
        .map((each) => [String(each["name"] as string), partOf(each["schema"])] as const);
    const inPath = new Map(at("path"));
    const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);
    const content = partOf(this.#resolve(partOf(own["requestBody"]))["content"]);
    const body = partOf(content["application/json"])["schema"];
    return {
      name: `${method} ${path}`,
      deprecated: own["deprecated"] === true,
      query: new Map(at("query")),
      pathParameters: names.map((name) => [name, inPath.get(name) ?? {}] as const),
      body: isPart(body) ? body : null,
      answers: new Map(
        Object.entries(partOf(own["responses"])).map(([status, answer]) => {
          const contents = Object.values(partOf(this.#resolve(partOf(answer))["content"]));
          const schemas = contents.map((content) => partOf(content)["schema"]);
          return [Number(status), schemas.filter(isPart)] as const;
        }),
      ),
    };
  }
}
