import type { Words } from "./json-schema.ts";

/** A table of a page: the cells of each row, without its head. */
type Table = readonly (readonly [first: string, rest: string])[];

const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .replaceAll(/:? ?\bsee below\b/g, "")
    .trim();

/** The tables of a page, by heading and place below it: `Values 0`. */
function tablesOf(page: string): ReadonlyMap<string, Table> {
  const tables = new Map<string, [string, string][]>();
  let [heading, count, open] = ["", 0, false];
  for (const line of page.split("\n")) {
    const [, title] = /^## (.*)$/.exec(line) ?? [];
    if (title !== undefined) [heading, count] = [title, 0];
    const [, first, rest] = /^\|(.*?)\|(.*)\|$/.exec(line) ?? [];
    if (first === undefined || rest === undefined) {
      if (open) count++;
      open = false;
      continue;
    }
    if (!open) {
      tables.set(`${heading} ${count}`, []);
      open = true;
    } else if (!/^[ -]+$/.test(first)) {
      tables.get(`${heading} ${count}`)?.push([first.trim(), plain(rest)]);
    }
  }
  return tables;
}

/** What a table says of each name in its first column; a default in brackets is no name. */
function wordsIn(table: Table): ReadonlyMap<string, string> {
  return new Map(
    table.flatMap(([first, text]) =>
      text === "" || text === "below"
        ? []
        : [...first.replaceAll(/\([^)]*\)/g, "").matchAll(/`([^`]+)`/g)].map(
            ([, name = ""]) => [name, text] as const,
          ),
    ),
  );
}

/**
 * What `docs/catalog-format.md` says of keys and words, by the name of their form. Throws if a table is not
 * where it was: the page and this list change together.
 */
export function pageWords(
  page: string,
  places: Readonly<Record<string, { readonly keys?: string; readonly words?: string }>>,
): ReadonlyMap<string, Words> {
  const tables = tablesOf(page);
  const at = (place: string | undefined): ReadonlyMap<string, string> => {
    if (place === undefined) return new Map();
    const table = tables.get(place);
    if (table === undefined) throw new Error(`docs/catalog-format.md has no table ${place}`);
    return wordsIn(table);
  };
  return new Map(
    Object.entries(places).map(([form, { keys, words }]) => [
      form,
      { keys: at(keys), words: at(words) },
    ]),
  );
}
