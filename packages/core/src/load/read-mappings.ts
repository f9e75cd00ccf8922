import { type CatalogPart, readContext } from "./catalog-file.ts";
import { type TemplateDoc, template } from "./format/template-shape.ts";
import { nearestText } from "./nearest-text.ts";
import { locate, nodeAt } from "./positions.ts";
import { reportDuplicates } from "./shape/report-duplicates.ts";
import { wrongType } from "./shape/wrong-type.ts";

/**
 * The templates of the capabilities, by name. Other entries are reported and not read (MAP-001),
 * keys starting `x-` silently, and all of them where the capabilities cannot be read. Null if the part
 * is no map.
 */
export function readMappings(
  part: CatalogPart,
  capabilities: readonly string[] | null,
  functions: readonly string[],
): ReadonlyMap<string, TemplateDoc> | null {
  const { parsed, prefix } = part;
  const node = nodeAt(parsed.root, prefix);
  if (node === null) return null;
  const context = readContext(parsed, functions);
  const place = { path: prefix, keyAt: locate(parsed.root, prefix).key };
  if (node.kind !== "map") return wrongType(node, place, context, "a map of templates") ?? null;
  reportDuplicates(node, place, context);
  const known = new Set(capabilities);
  const templates = new Map<string, TemplateDoc>();
  for (const entry of node.entries.values()) {
    const path = [...prefix, entry.key];
    if (capabilities === null || entry.key.startsWith("x-")) continue;
    if (!known.has(entry.key)) {
      const nearest = nearestText(entry.key, capabilities);
      context.report({ at: entry.keyAt, path }, "MAP001", "orphan", { found: entry.key, nearest });
      continue;
    }
    const read = template.read(entry.value, { path, keyAt: entry.keyAt }, context);
    if (read !== undefined) templates.set(entry.key, read);
  }
  return templates;
}
