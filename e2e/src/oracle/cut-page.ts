import type { Asked } from "./exchange.ts";
import type { Paging } from "./model.ts";

/** The rows of an answer, and what it says of others: in headers, and in its body beside the rows. */
export interface Page {
  readonly from: number;
  readonly to: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly beside: readonly (readonly [path: readonly string[], value: unknown])[];
}

type Parts = Partial<Omit<Page, "from" | "to">>;

/** Cursors say nothing of their row. */
const cursorTo = (row: number): string => `c_${row}_`;
const rowAt = (cursor: unknown): number => Number(/^c_(\d+)_$/.exec(String(cursor))?.[1] ?? 0);

const wholeNumber = (text: string | null, unless: number): number =>
  text !== null && /^\d+$/.test(text) ? Number(text) : unless;

function nextAddress({ base, path, query }: Asked, row: number): string {
  const next = new URLSearchParams(query);
  next.set("after_row", String(row));
  return `${base}${path}?${next.toString()}`;
}

/** Cuts a page out of so many rows, as a list's paging says. */
export function cutPage(paging: Paging, total: number, asked: Asked): Page {
  if (paging.kind === "none") return { from: 0, to: total, headers: {}, beside: [] };
  const { query, body } = asked;
  const cut = (from: number, tell: (next: number | null) => Parts): Page => {
    const to = from + paging.size;
    return { from, to, headers: {}, beside: [], ...tell(to < total ? to : null) };
  };
  switch (paging.kind) {
    case "page":
      return cut(
        (wholeNumber(query.get("page"), paging.first) - paging.first) * paging.size,
        () => ({}),
      );
    case "offset":
      return cut(wholeNumber(query.get("offset"), 0), () => ({}));
    case "cursor": {
      const at = (name: string): readonly string[] => (paging.deep ? ["paging", name] : [name]);
      return cut(rowAt(query.get("cursor")), (next) => {
        const cursor = next === null ? (paging.stop ? "" : null) : cursorTo(next);
        return {
          beside: [
            [at("next_cursor"), cursor],
            ...(paging.stop ? [[at("has_more"), next !== null] as const] : []),
          ],
        };
      });
    }
    case "body_cursor": {
      const sent = body["page"];
      const after =
        typeof sent === "object" && sent !== null && "after" in sent ? sent["after"] : null;
      return cut(rowAt(after), (next) => ({
        beside: [[["paging", "next_cursor"], next === null ? null : cursorTo(next)]],
      }));
    }
    case "link":
      return cut(wholeNumber(query.get("after_row"), 0), (next) => ({
        headers: next === null ? {} : { link: `<${nextAddress(asked, next)}>; rel="next"` },
      }));
    case "next_url":
      return cut(wholeNumber(query.get("after_row"), 0), (next) => ({
        beside: next === null ? [] : [[["next"], nextAddress(asked, next)]],
      }));
    case "undeclared":
      return cut(wholeNumber(query.get("after_row"), 0), (next) =>
        shown(paging.sign, next, total, asked),
      );
  }
}

function shown(sign: string, next: number | null, total: number, asked: Asked): Parts {
  switch (sign) {
    case "has_more":
      return { beside: [[["has_more"], next !== null]] };
    case "total":
      return { beside: [[["total"], total]] };
    case "link":
      return {
        headers: next === null ? {} : { link: `<${nextAddress(asked, next)}>; rel="next"` },
      };
    case "next":
      return { beside: [[["next"], next === null ? null : nextAddress(asked, next)]] };
    default:
      return { beside: [[[sign], next === null ? null : cursorTo(next)]] };
  }
}
