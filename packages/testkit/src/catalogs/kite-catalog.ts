/** What a catalog of kites has besides their list: YAML, in flow style where it is one value. */
export interface KiteParts {
  /** fields of a kite but for its id: name → `text`, `count`, `any`, `kite`, or the field itself */
  readonly fields?: Readonly<Record<string, string>>;
  /** relation → the relation itself */
  readonly relations?: Readonly<Record<string, string>>;
  /** further entities */
  readonly entities?: Readonly<Record<string, string>>;
  /** further capabilities, each with its mapping */
  readonly capabilities?: Readonly<Record<string, readonly [capability: string, mapping: string]>>;
  /** of the list; none unless given */
  readonly pagination?: string | null;
}

const lines = (parts: Readonly<Record<string, string>>, indent: string): string =>
  Object.entries(parts)
    .map(([name, text]) => `${indent}${name}: ${text}\n`)
    .join("");

const LIST = "method: GET, path: [{ type: literal, value: kites }], response: { items: kites }";

/** The mapping of a capability on one kite, at its own address or one below it. */
export const kiteMapping = (method: string, more: string | null = null, rest = ""): string => {
  const below = more === null ? "" : `, { type: literal, value: ${more} }`;
  return `{ method: ${method}, path: [{ type: literal, value: kites }, { type: var, name: id }${below}]${rest === "" ? "" : `, ${rest}`} }`;
};

/** The files of a small catalog of kites, whose list stands under `kites`; `BACKEND` is its address. */
export function kiteCatalog(parts: KiteParts = {}): {
  readonly domain: string;
  readonly mappings: string;
} {
  const { fields = {}, relations = {}, entities = {}, capabilities = {}, pagination } = parts;
  const typed = Object.entries(fields).map(
    ([name, type]) => [name, type.startsWith("{") ? type : `{ value_ref: ${type} }`] as const,
  );
  const own = Object.entries(capabilities);
  const domain = `version: 1
http_backend: BACKEND
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  any: { type: json }
  kite: { type: entity_ref, target: Kite }
entities:
  Kite:
    id_field: id
    fields:
      id: { value_ref: text }
${lines(Object.fromEntries(typed), "      ")}    relations:${Object.keys(relations).length === 0 ? " {}" : ""}
${lines(relations, "      ")}${lines(entities, "  ")}capabilities:
  kite_query: { kind: query, entity: Kite }
${lines(Object.fromEntries(own.map(([name, [capability]]) => [name, capability])), "  ")}`;
  const paged =
    pagination === undefined || pagination === null ? "" : `, pagination: ${pagination}`;
  const mappings = `kite_query: { ${LIST}${paged} }
${lines(Object.fromEntries(own.map(([name, [, mapping]]) => [name, mapping])), "")}`;
  return { domain, mappings };
}
