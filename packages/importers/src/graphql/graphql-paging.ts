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

const SIZES = new Set(
  "first limit pagesize perpage take size count top max maxresults itemsperpage".split(" "),
);
const AFTERS = new Set(
  "after cursor aftercursor startcursor nexttoken pagetoken nextcursor continuationtoken".split(
    " ",
  ),
);
const TOKENS = new Set(
  "nexttoken nextcursor nextpagetoken endcursor cursor continuationtoken".split(" "),
);
const OFFSETS = new Set("offset skip start startindex".split(" "));
const PAGES = new Set("page pagenumber pageindex pageno".split(" "));
const MORES = new Set("hasnextpage hasmore hasnext hasmorepages more".split(" "));
const BACKWARDS = new Set("last before".split(" "));
const AROUND = new Set("pageinfo info paging pagination meta metadata paginatorinfo".split(" "));

const keyOf = ({ path }: Argument): string => path.join(".");
const isInt = ({ type }: Argument): boolean => getNamedType(type).name === "Int";
const groupOf = ({ path }: Argument): readonly string[] => path.slice(0, -1);

/** Rows that one request asks for: what its description allows, at most 50. */
function sizeOf({ description = "", defaultValue }: Argument): number {
  const [, most] =
    /\b(?:max(?:imum)?|up to|at most|between 1 and)\D{0,12}(\d{1,4})\b/i.exec(description) ?? [];
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

/** How a list goes on, if its arguments and its answer tell it; null if not. `at` are the keys that lead to its field's answer. */
export function graphqlPaging(
  all: readonly Argument[],
  rows: FieldRows,
  at: readonly string[],
): GraphqlPaging | null {
  const named = (names: ReadonlySet<string>, isFit: (one: Argument) => boolean = () => true) =>
    all.find((one) => names.has(folded(one.path.at(-1) ?? "")) && isFit(one));
  const size = named(SIZES, isInt);
  const after = named(AFTERS, (one) => !isInt(one));
  const offset = named(OFFSETS, isInt);
  const page = named(PAGES, isInt);
  const going = after ?? offset ?? page;
  if (going === undefined) return null;
  const group = groupOf(going);
  const inGroup = (one: Argument | undefined): one is Argument =>
    one !== undefined && groupOf(one).join() === group.join();
  const nameOf = (one: Argument): string => one.path.at(-1) ?? "";
  const sized = inGroup(size) ? { [nameOf(size)]: { fixed: sizeOf(size) } } : {};
  const signs = rows.envelope === null ? [] : signsIn(rows.envelope);
  const used = new Set(
    [
      going,
      ...(inGroup(size) ? [size] : []),
      ...all.filter(
        (one) => BACKWARDS.has(folded(one.path.at(-1) ?? "")) && !isNonNullType(one.type),
      ),
    ].map(keyOf),
  );
  const base = { location: "body", body_merge_path: ["variables", ...group] };
  const more = signs.flatMap(({ path, fields }) =>
    fields.flatMap((field) =>
      MORES.has(folded(field.name)) && getNamedType(field.type).name === "Boolean"
        ? [{ path, field }]
        : [],
    ),
  )[0];
  if (after !== undefined) {
    const token = signs.flatMap(({ path, fields }) =>
      fields.flatMap((field) => (TOKENS.has(folded(field.name)) ? [{ path, field }] : [])),
    )[0];
    if (token === undefined) return null;
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
      selection: token.path.reduceRight((inner, name) => `${name} { ${inner} }`, chosen),
    };
  }
  const counter = going === page ? 1 : 0;
  const first = going.defaultValue === 0 || going.defaultValue === 1 ? going.defaultValue : counter;
  return {
    pagination: {
      ...base,
      ...(more === undefined
        ? {}
        : {
            response_prefix: [...at, ...more.path],
            stop_when: { field: more.field.name, eq: false },
          }),
      params: { [nameOf(going)]: { counter: first }, ...sized },
    },
    used,
    selection:
      more === undefined
        ? ""
        : more.path.reduceRight((inner, name) => `${name} { ${inner} }`, more.field.name),
  };
}
