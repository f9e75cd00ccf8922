import type { Catalog, Entity } from "@plasm/core";
import { type HttpTemplate, keyParts } from "@plasm/core/internal";
import { httpTemplates } from "./github-catalog.ts";

type Members = Record<string, unknown>;

type Field = NonNullable<ReturnType<Entity["fields"]["get"]>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A get by key: what its addresses match, a group for each variable. */
interface KeyedGet {
  readonly entity: Entity;
  readonly address: RegExp;
}

function addressOf({ path }: HttpTemplate): RegExp {
  const segments = path.map((segment, index) => {
    if (segment.type === "literal") return segment.value.replaceAll(/[.+]/g, String.raw`\$&`);
    // A last variable may hold slashes: the path of a file.
    const wide = segment.encode === "path" && index === path.length - 1;
    return `(?<${segment.name}>${wide ? ".+" : "[^/]+"})${segment.suffix}`;
  });
  return new RegExp(`^/${segments.join("/")}$`);
}

function keyedGets(catalog: Catalog): readonly KeyedGet[] {
  return [...httpTemplates(catalog)].flatMap(([name, template]) => {
    const capability = catalog.cgs.capabilities.get(name);
    const entity = catalog.cgs.entities.get(capability?.entity ?? "");
    if (capability?.kind !== "get" || entity === undefined) return [];
    return [{ entity, address: addressOf(template) }];
  });
}

/** What a part of a key is read of, where that is an address: its segments behind a prefix, one of them changed. */
function withSegment(address: string, derive: Field["derive"], text: string): string {
  if (derive?.type !== "segments_after_prefix" || !address.startsWith(derive.prefix)) return text;
  const segments = address.slice(derive.prefix.length).split("/");
  segments[derive.partIndex] = text;
  return derive.prefix + segments.join("/");
}

type Placed = Pick<Field, "derive"> | undefined;

/** Puts a value at a place of the body, if the example has that place. */
function put(
  body: Members,
  [first = "", ...rest]: readonly string[],
  text: string,
  field: Placed,
): void {
  const found = body[first];
  if (rest.length > 0) {
    if (isMembers(found)) put(found, rest, text, field);
  } else if (typeof found === "number") body[first] = Number(text);
  else if (typeof found === "string") body[first] = withSegment(found, field?.derive, text);
}

/**
 * Answers a get with the row that it asks for, as GitHub does: the document has one example for all keys, and a
 * get that answers with another row than asked is an error (RUN-043). Of the example only the parts of the key
 * change, where it has them.
 */
export function askedKeys(catalog: Catalog): (path: string, body: Uint8Array) => Uint8Array {
  const gets = keyedGets(catalog);
  return (path, body) => {
    for (const { entity, address } of gets) {
      const asked = address.exec(path)?.groups;
      if (asked === undefined) continue;
      const row: unknown = JSON.parse(new TextDecoder().decode(body));
      if (!isMembers(row)) return body;
      for (const part of keyParts(entity)) {
        const text = asked[part];
        if (text === undefined) continue;
        const field = entity.fields.get(part);
        put(row, field?.path ?? [part], decodeURIComponent(text), field);
      }
      return new TextEncoder().encode(JSON.stringify(row));
    }
    return body;
  };
}
