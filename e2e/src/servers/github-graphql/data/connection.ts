import { GraphQLError } from "graphql";

/** Where a page of a list starts, and how long it is. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** A list in the form GitHub gives lists in; fields are read one by one, so that counting needs no page. */
export interface Connection<T> {
  readonly totalCount: number;
  readonly nodes: () => readonly T[];
  readonly pageInfo: () => { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const refuse = (message: string, type: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

/** A cursor says how many rows are behind it. */
const cursorOf = (position: number): string => Buffer.from(`cursor:${position}`).toString("base64");

function positionOf(cursor: string): number {
  const [, position] = /^cursor:(\d+)$/.exec(Buffer.from(cursor, "base64").toString()) ?? [];
  if (position === undefined) {
    throw refuse(`\`${cursor}\` does not appear to be a valid cursor.`, "INVALID_CURSOR_ARGUMENTS");
  }
  return Number(position);
}

/** How long a page is: from 1 to 100 and never left out, as GitHub demands. */
function lengthOf({ first }: PageArguments): number {
  if (first === undefined || first === null) {
    const message = "You must provide a `first` or `last` value to properly paginate.";
    throw refuse(message, "MISSING_PAGINATION_BOUNDARIES");
  }
  if (first >= 1 && first <= 100) return first;
  throw refuse("`first` must be between 1 and 100.", "EXCESSIVE_PAGINATION");
}

/** A page of a list. */
export function connection<T>(rows: readonly T[], page: PageArguments): Connection<T> {
  const start = (): number => {
    const { after } = page;
    return after === undefined || after === null ? 0 : positionOf(after);
  };
  const end = (): number => Math.min(rows.length, start() + lengthOf(page));
  return {
    totalCount: rows.length,
    nodes: () => rows.slice(start(), end()),
    pageInfo: () => ({
      hasNextPage: end() < rows.length,
      endCursor: end() === start() ? null : cursorOf(end()),
    }),
  };
}
