import type { JsonObject } from "@plasm/core";
import { isSizeName, type PageParam, type Pagination, plainPageName } from "@plasm/core/internal";

/** How many rows a page has, as a mapping says it: those that are asked for, and those that the API gives by itself. */
export interface RowsPerPage {
  readonly asked: number;
  readonly usual: number | null;
}

/** The rows that each page is asked for; null where a list names no size. */
export function declaredSize(params: readonly PageParam[]): RowsPerPage | null {
  for (const param of params) {
    if (param.form !== "fixed") continue;
    const { name, value, usual = null } = param;
    if (!isSizeName(name) && usual === null) continue;
    const asked = Number(value);
    if (Number.isInteger(asked) && asked > 0) return { asked, usual };
  }
  return null;
}

/** Whether a page has as many rows as it was asked for, or as the API gives by itself, where a document says so many. */
export function isFullPage({ params }: Pagination, rows: number): boolean {
  const size = declaredSize(params);
  if (size === null || size.usual === null) return false;
  return rows > 0 && (rows >= size.asked || rows === size.usual);
}

type SizeParam = Extract<PageParam, { readonly form: "size" }>;

/** What says how many rows the answer of a list has that has no pages; null where nothing does (RUN-201). */
export const sizeParam = (pagination: Pagination | undefined): SizeParam | null =>
  pagination?.params.find((param): param is SizeParam => param.form === "size") ?? null;

/** The argument by which a program says how many rows an answer has, and what it gave. */
export function givenSize(
  { name }: SizeParam,
  args: JsonObject,
): { readonly name: string; readonly rows: number } | null {
  for (const [own, value] of Object.entries(args)) {
    const rows = typeof value === "string" && value !== "" ? Number(value) : value;
    const isOwn = own === name || plainPageName(own) === plainPageName(name);
    if (isOwn && Number.isInteger(rows) && Number(rows) > 0)
      return { name: own, rows: Number(rows) };
  }
  return null;
}

/** What is asked for where a document does not say how many rows an answer may have. */
const MANY = 1000;
/** Most APIs that give no more rows at once than so many give a multiple of this. */
const LARGE_STEP = 50;

/** Whether so many rows may be all that an API gives at once, of which a document leaves that open (RUN-190). */
export const mayBeLimit = (rows: number): boolean =>
  rows >= 10 && [5, 8, 12].some((by) => rows % by === 0);

/** Whether an answer may hold the rows that an API gives by itself, and no others. */
function isUsual({ usual, most }: SizeParam, rows: number): boolean {
  if (rows === usual || (most !== undefined && rows >= most)) return true;
  // A document that says how many there are by itself is believed of fewer.
  if (usual !== undefined && rows < usual) return false;
  return mayBeLimit(rows);
}

/** The answer of a list without pages, as far as its number of rows is judged. */
interface SizedAnswer {
  /** how many rows it has, and how many one before it that was not asked for so many */
  readonly rows: number;
  readonly before: number | null;
  /** how many were asked for; null where nothing was said */
  readonly asked: number | null;
  /** whether its rows can be told apart, so that more of them may be asked for */
  readonly isNamed: boolean;
}

/** What is thought of an answer whose number of rows may be that of all, or that which the API gives at once. */
export interface SizedEnd {
  /** why others may be missing; null where nothing speaks for it */
  readonly early: string | null;
  /** how many rows to ask for, to see all of them; null where no more can be asked for */
  readonly most: number | null;
}

const isLarge = ({ usual, most }: SizeParam, rows: number): boolean =>
  rows === usual || (most !== undefined && rows >= most) || rows % LARGE_STEP === 0;

/** Looks at an answer of a list without pages (RUN-201). */
export function sizedEnd(param: SizeParam, answer: SizedAnswer): SizedEnd {
  const { name, most } = param;
  const { rows, before, asked, isNamed } = answer;
  if (rows === 0) return { early: null, most: null };
  if (asked !== null) {
    const isCut =
      before === null
        ? rows < asked && isLarge(param, rows)
        : rows >= asked || rows <= before || (most === undefined && rows % LARGE_STEP === 0);
    const early = `${rows} rows came where ${asked} were asked for (${name}), and others may be missing`;
    return { early: isCut ? early : null, most: null };
  }
  const larger = most === undefined ? Math.max(MANY, rows * 2) : Math.min(most, MANY * 10);
  const canAsk = isNamed && larger > rows;
  const isCut = canAsk ? isUsual(param, rows) : isLarge(param, rows);
  const early = `${rows} rows came, which may be all that the API gives at once`;
  return { early: isCut ? early : null, most: canAsk ? larger : null };
}
