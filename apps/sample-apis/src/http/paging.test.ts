import fc from "fast-check";
import { expect, test } from "vitest";
import { cursorPage, numberedPage, offsetPage } from "./paging.ts";

interface Row {
  readonly id: number;
}

const rows = fc
  .uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 250 })
  .map((ids) => ids.map((id): Row => ({ id })));
const size = fc.integer({ min: 1, max: 100 });

const byId = (all: readonly Row[]): readonly Row[] => all.toSorted((a, b) => a.id - b.id);

const walkByCursor = (all: readonly Row[], limit: number): readonly (readonly Row[])[] => {
  const pages: (readonly Row[])[] = [];
  let after: string | null = null;
  do {
    const query = { limit: String(limit), ...(after === null ? {} : { after }) };
    const page: { rows: readonly Row[]; next: string | null } = cursorPage(all, query);
    pages.push(page.rows);
    after = page.next;
  } while (after !== null);
  return pages;
};

test("numbered pages join to the rows, each once, and the page behind them is empty", () => {
  fc.assert(
    fc.property(rows, size, (all, perPage) => {
      const count = Math.ceil(all.length / perPage) + 1;
      const pages = Array.from({ length: count }, (_none, index) =>
        numberedPage(all, { page: String(index + 1), per_page: String(perPage) }),
      );
      expect(pages.flatMap(({ items }) => items)).toEqual(all);
      expect(pages.at(-1)?.items).toEqual([]);
    }),
  );
});

test("advancing the offset by the rows received gives each row once", () => {
  fc.assert(
    fc.property(rows, size, (all, limit) => {
      const seen: Row[] = [];
      for (;;) {
        const query = { offset: String(seen.length), limit: String(limit) };
        const page = offsetPage(all, query);
        if (page.rows.length === 0) break;
        seen.push(...page.rows);
      }
      expect(seen).toEqual(all);
    }),
  );
});

test("cursors give each row once by rising id; only a last page is short or empty", () => {
  fc.assert(
    fc.property(rows, size, (all, limit) => {
      const pages = walkByCursor(all, limit);
      expect(pages.flat()).toEqual(byId(all));
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(pages.at(-1)?.length === 0).toBe(all.length === 0);
    }),
  );
});
