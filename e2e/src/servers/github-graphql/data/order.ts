/** How GitHub is asked to order a list. */
export interface Order {
  readonly field: "NUMBER" | "TITLE" | "CREATED_AT" | "UPDATED_AT";
  readonly direction: "ASC" | "DESC";
}

interface Ordered {
  readonly number: number;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const KEYS = {
  NUMBER: "number",
  TITLE: "title",
  CREATED_AT: "createdAt",
  UPDATED_AT: "updatedAt",
} as const;

/** Rows in an order, those that are equal as they were. */
export function ordered<T extends Ordered>(rows: readonly T[], order: Order): readonly T[] {
  const key = KEYS[order.field];
  const sign = order.direction === "ASC" ? 1 : -1;
  return rows.toSorted((a, b) => (a[key] === b[key] ? 0 : a[key] < b[key] ? -sign : sign));
}
