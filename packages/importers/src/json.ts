/** An object of a document: a map of JSON. */
export type DocumentObject = Readonly<Record<string, unknown>>;

export const isDocumentObject = (value: unknown): value is DocumentObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object's own member; a document may say `constructor` where a schema has no such member. */
export const memberOf = (value: unknown, name: string): unknown =>
  isDocumentObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Members in the order of their names, whatever order the document has. */
export const sortedEntries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isDocumentObject(value) ? Object.entries(value).toSorted(([a], [b]) => compareText(a, b)) : [];
