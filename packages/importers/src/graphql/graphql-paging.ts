import { getNamedType, isNonNullType } from "graphql";
import { folded } from "../names/words.ts";
import type { Argument } from "./arguments.ts";
import {
  bare,
  type GraphqlField,
  isLeaf,
  isRowType,
  openFields,
  type FieldRows,
  type GraphqlRowType,
} from "./schema-types.ts";

/** How a list goes on, and which of its arguments that takes. */
export interface GraphqlPaging {
  readonly pagination: unknown;
  /** paths of arguments, joined by dots */
  readonly used: ReadonlySet<string>;
  /** what of the object around the list is asked for besides it */
  readonly selection: string;
}

const SIZES = new Set("first limit pagesize perpage take maxresults itemsperpage".split(" "));
/** Words for how many rows a page has, and for what rows may be like. */
const MAYBE_SIZES = new Set("size count top max".split(" "));
const AFTERS = new Set(
  "after cursor aftercursor startcursor nexttoken pagetoken nextcursor continuationtoken".split(
    " ",
  ),
);
const TOKENS = new Set(
  "nexttoken nextcursor nextpagetoken endcursor cursor continuationtoken".split(" "),
);
const OFFSETS = new Set("offset skip".split(" "));
const MAYBE_OFFSETS = new Set("start startindex".split(" "));
const PAGES = new Set("page pagenumber pageindex pageno".split(" "));
const MORES = new Set("hasnextpage hasmore hasnext hasmorepages more".split(" "));
const TOTALS = new Set("total totalcount totalitems totalresults totalrecords count".split(" "));
const BACKWARDS = new Set("last before".split(" "));
const AROUND = new Set("pageinfo info paging pagination meta metadata paginatorinfo".split(" "));

const keyOf = ({ path }: Argument): string => path.join(".");
const isInt = ({ type }: Argument): boolean => getNamedType(type).name === "Int";
/** Whether a value is a time, by which rows are chosen, and no page. */
const isTime = ({ type }: Argument): boolean => /date|time|instant/i.test(getNamedType(type).name);
const groupOf = ({ path }: Argument): readonly string[] => path.slice(0, -1);

/** How many rows an argument may ask for, as its description says. */
const mostSaid = ({ description = "" }: Argument): string | undefined =>
  /\b(?:max(?:imum)?|up to|at most|between 1 and)\D{0,12}(\d{1,4})\b/i.exec(description)?.[1];

/** Rows that one request asks for: what its description allows, at most 50. */
function sizeOf(argument: Argument): number {
  const { defaultValue } = argument;
  const most = mostSaid(argument);
  const bound = Number(most ?? 50);
  const usual = typeof defaultValue === "number" && defaultValue > 50 ? defaultValue : 50;
  return most === undefined || bound < 1 ? usual : Math.min(bound, 50);
}

/** Where an answer tells how it goes on: in the object around the list, or in one within that. */
function signsIn(
  envelope: GraphqlRowType,
): readonly { readonly path: readonly string[]; readonly fields: readonly GraphqlField[] }[] {
  const own = openFields(envelope);
  const within = own.flatMap((field) => {
    const type = bare(field.type);
    return AROUND.has(folded(field.name)) && isRowType(type)
      ? [{ path: [field.name], fields: openFields(type).filter(isLeaf) }]
      : [];
  });
  return [...within, { path: [], fields: own.filter(isLeaf) }];
}

/** What an answer says of rows behind it, where nothing asks for them: the run tells of these (RUN-075). */
function signSelection(signs: ReturnType<typeof signsIn>): string {
  return signs
    .flatMap(({ path, fields }) => {
      const names = fields
        .map(({ name }) => name)
        .filter((name) => [MORES, TOKENS, TOTALS].some((words) => words.has(folded(name))));
      return names.length === 0 ? [] : [around(path, names.join(" "))];
    })
    .join(" ");
}

const around = (path: readonly string[], selection: string): string =>
  path.reduceRight((inner, name) => `${name} { ${inner} }`, selection);

/** What a list says of its end, of which no argument asks for more. */
export const endSelection = ({ envelope }: FieldRows): string =>
  envelope === null ? "" : signSelection(signsIn(envelope));

/** A counter whose start and unit a schema does not say; the second page shows them (RUN-190). */
function counterOf(going: Argument, isPage: boolean): Record<string, unknown> {
  const said = going.defaultValue;
  if (isPage && (said === 0 || said === 1)) return { counter: said };
  if (going.required) return { counter: 0, assumed: "send" };
  return { counter: isPage ? 1 : 0, assumed: "omit" };
}

/** The argument that goes with others, as a mapping names it. */
const sentIn = (group: readonly string[]) => ({
  location: "body",
  body_merge_path: ["variables", ...group],
});

/** A list of which no argument asks for more but one that says how many rows its answer has (RUN-201). */
function sizedPaging(
  size: Argument | undefined,
  signs: ReturnType<typeof signsIn>,
): GraphqlPaging | null {
  if (size === undefined) return null;
  const { defaultValue: usual } = size;
  const most = Number(mostSaid(size) ?? 0);
  const said = {
    ...(typeof usual === "number" && usual > 0 ? { usual } : {}),
    ...(most > 0 ? { most } : {}),
  };
  const params = { [size.path.at(-1) ?? ""]: { size: said } };
  return {
    pagination: { ...sentIn(groupOf(size)), params },
    used: new Set(),
    selection: signSelection(signs),
  };
}

/** How a list goes on, if its arguments and its answer tell it; null if not. `at` are the keys that lead to its field's answer. */
export function graphqlPaging(
  all: readonly Argument[],
  rows: FieldRows,
  at: readonly string[],
): GraphqlPaging | null {
  const nameOf = (one: Argument): string => one.path.at(-1) ?? "";
  const named = (names: ReadonlySet<string>, isFit: (one: Argument) => boolean) =>
    all.find((one) => names.has(folded(nameOf(one))) && isFit(one));
  // `size` is that of a page, or of a shoe: rows that have a value of that name are chosen by it.
  const columns = new Set(openFields(rows.type).map(({ name }) => folded(name)));
  const counts = (one: Argument): boolean => isInt(one) && !columns.has(folded(nameOf(one)));
  const size = named(SIZES, counts) ?? named(MAYBE_SIZES, counts);
  const signs = rows.envelope === null ? [] : signsIn(rows.envelope);
  const token = signs.flatMap(({ path, fields }) =>
    fields.flatMap((field) => (TOKENS.has(folded(field.name)) ? [{ path, field }] : [])),
  )[0];
  const isToken = (one: Argument): boolean =>
    isInt(one)
      ? token !== undefined && getNamedType(token.field.type).name === "Int"
      : !isTime(one);
  const after = token === undefined ? undefined : named(AFTERS, isToken);
  const page = named(PAGES, counts);
  const counter =
    named(
      new Set([...PAGES, ...OFFSETS, ...MAYBE_OFFSETS]),
      (one) => counts(one) && one.required,
    ) ??
    named(OFFSETS, counts) ??
    page ??
    named(MAYBE_OFFSETS, counts);
  const going = after ?? counter;
  if (going === undefined) return sizedPaging(named(SIZES, counts), signs);
  const group = groupOf(going);
  const inGroup = (one: Argument | undefined): one is Argument =>
    one !== undefined && groupOf(one).join() === group.join();
  // A page by another means, beside this one, would be left out again in each request.
  const isOther = (one: Argument): boolean =>
    [PAGES, OFFSETS].some((names) => names.has(folded(nameOf(one)))) && counts(one);
  const sized = inGroup(size) ? { [nameOf(size)]: { fixed: sizeOf(size) } } : {};
  const used = new Set(
    [
      going,
      ...(inGroup(size) ? [size] : []),
      ...all.filter(
        (one) =>
          !isNonNullType(one.type) &&
          ((BACKWARDS.has(folded(nameOf(one))) && !isTime(one)) || isOther(one)),
      ),
    ].map(keyOf),
  );
  const base = sentIn(group);
  const more = signs.flatMap(({ path, fields }) =>
    fields.flatMap((field) =>
      MORES.has(folded(field.name)) && getNamedType(field.type).name === "Boolean"
        ? [{ path, field }]
        : [],
    ),
  )[0];
  if (after !== undefined && token !== undefined) {
    const flag =
      more !== undefined && more.path.join() === token.path.join() ? more.field.name : null;
    const chosen = [token.field.name, ...(flag === null ? [] : [flag])].join(" ");
    return {
      pagination: {
        ...base,
        response_prefix: [...at, ...token.path],
        ...(flag === null ? {} : { stop_when: { field: flag, eq: false } }),
        params: { ...sized, [nameOf(after)]: { from_response: token.field.name } },
      },
      used,
      selection: around(token.path, chosen),
    };
  }
  return {
    pagination: {
      ...base,
      ...(more === undefined
        ? {}
        : {
            response_prefix: [...at, ...more.path],
            stop_when: { field: more.field.name, eq: false },
          }),
      params: { [nameOf(going)]: counterOf(going, PAGES.has(folded(nameOf(going)))), ...sized },
    },
    used,
    selection: signSelection(signs),
  };
}
