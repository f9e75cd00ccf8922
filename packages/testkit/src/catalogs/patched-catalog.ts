/**
 * What to put into the small parcel catalog, as YAML written flush left; every part is optional.
 * `«` and `»` may mark one stretch: where a diagnostic is expected.
 */
export interface CatalogPatch {
  /** Replaces `http_backend`'s value. */
  readonly backend?: string;
  /** Replaces `version`'s value. */
  readonly version?: string;
  /** Further top-level keys of domain.yaml. */
  readonly top?: string;
  readonly values?: string;
  /** Further keys of entity Parcel. */
  readonly parcel?: string;
  /** Further fields of Parcel. */
  readonly fields?: string;
  /** Relations of Parcel. */
  readonly relations?: string;
  readonly entities?: string;
  readonly capabilities?: string;
  readonly mappings?: string;
}

/** A place that was marked in a patch. */
export interface MarkedPlace {
  readonly file: "domain.yaml" | "mappings.yaml";
  readonly line: number;
  readonly column: number;
  /** The marked text, if its end was marked too. */
  readonly text: string;
}

export interface PatchedCatalog {
  readonly domain: string;
  readonly mappings: string;
  readonly place: MarkedPlace | null;
}

const indent = (text: string | undefined, by: number): string =>
  (text ?? "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `${" ".repeat(by)}${line}\n`)
    .join("");

const domainText = (patch: CatalogPatch): string => `version: ${patch.version ?? "1"}
http_backend: ${patch.backend ?? "https://api.parcels.example/v2"}
${indent(patch.top, 0)}values:
  text: {type: string, string_semantics: short}
  count: {type: integer}
  when: {type: date, value_format: rfc3339}
  stage: {type: select, allowed_values: [packed, sent]}
  depot: {type: entity_ref, target: Depot}
  free: {type: json}
${indent(patch.values, 2)}entities:
  Parcel:
${indent(patch.parcel, 4)}    fields:
      id: {value_ref: text}
      depot: {value_ref: depot}
      stage: {value_ref: stage}
${indent(patch.fields, 6)}${patch.relations === undefined ? "" : `    relations:\n${indent(patch.relations, 6)}`}  Depot:
    id_field: code
    fields:
      code: {value_ref: text}
${indent(patch.entities, 2)}capabilities:
  parcel_query:
    kind: query
    entity: Parcel
    parameters: [{name: depot, value_ref: depot}]
  parcel_get: {kind: get, entity: Parcel}
  depot_get: {kind: get, entity: Depot}
${indent(patch.capabilities, 2)}`;

const mappingsText = (patch: CatalogPatch): string => `parcel_query:
  method: GET
  path: [{type: literal, value: parcels}]
  query: {type: object, fields: [[depot, {type: var, name: depot}]]}
parcel_get:
  method: GET
  path: [{type: literal, value: parcels}, {type: var, name: id}]
depot_get:
  method: GET
  path: [{type: literal, value: depots}, {type: var, name: code}]
${indent(patch.mappings, 0)}`;

/** The texts of both files, with marks as in a patch. */
interface WholeFiles {
  readonly domain: string;
  readonly mappings?: string;
}

/**
 * The parcel catalog with a patch, or whole files instead of it: the marks taken out, and the place
 * they marked.
 */
export const patchedCatalog = (patch: CatalogPatch | WholeFiles): PatchedCatalog => {
  const whole = "domain" in patch;
  const domain = whole ? patch.domain : domainText(patch);
  const mappings = whole ? (patch.mappings ?? "") : mappingsText(patch);
  const place = markedPlace("domain.yaml", domain) ?? markedPlace("mappings.yaml", mappings);
  const plain = (text: string): string => text.replaceAll(/[«»]/g, "");
  return Object.freeze({ domain: plain(domain), mappings: plain(mappings), place });
};

const markedPlace = (file: MarkedPlace["file"], text: string): MarkedPlace | null => {
  const start = text.indexOf("«");
  if (start === -1) return null;
  const before = text.slice(0, start).split("\n");
  const end = text.indexOf("»", start);
  return {
    file,
    line: before.length,
    column: Array.from(before.at(-1) ?? "").length + 1,
    text: end === -1 ? "" : text.slice(start + 1, end),
  };
};
