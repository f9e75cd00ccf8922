import type { CatalogSet } from "../federation/catalog-set.ts";
import type { Notation } from "../symbols/exposure.ts";
import type { SymbolMap } from "../symbols/symbol-map.ts";
import { speller } from "./speller.ts";

/** Whether the asking connection was sent every wave; `unknown` without a connection (SESS-19). */
export type TablesSeen = "all" | "some" | "unknown";

export interface UnchangedNotice {
  /** the reader's ref, `s0` */
  readonly ref: string;
  readonly symbols: SymbolMap;
  readonly catalogs: CatalogSet;
  readonly notation: Notation;
  readonly seen: TablesSeen;
  /** whether the other notation was asked for, which changes nothing (SESS-15) */
  readonly notationKept: boolean;
}

const MAX_TOKENS = 60;

/**
 * The notice of a call that exposed nothing new, at most 60 tokens by `countTokens`: entities that do
 * not fit become `+n` (SESS-19).
 */
export function unchangedNotice(
  notice: UnchangedNotice,
  countTokens: (text: string) => number,
): string {
  const { symbols, notation, catalogs } = notice;
  const spell = speller(notation, symbols, catalogs);
  const entities = symbols.entities.map((key) => spell.introduced(key));
  let shown = 0;
  let text = noticeText(notice, entities, 0);
  while (shown < entities.length) {
    const longer = noticeText(notice, entities, shown + 1);
    if (countTokens(longer) > MAX_TOKENS) break;
    shown += 1;
    text = longer;
  }
  return text;
}

/** What is added where the tables may not have reached the reader; empty if they did (SESS-19). */
export function replayHint(seen: TablesSeen): string {
  switch (seen) {
    case "all":
      return "";
    case "some":
      return "This connection has not seen the tables; replay:true sends them.";
    case "unknown":
      return "replay:true sends the tables again.";
  }
}

function noticeText(notice: UnchangedNotice, entities: readonly string[], shown: number): string {
  const { ref, seen, notation, notationKept } = notice;
  const left = entities.length - shown;
  const listed = [...entities.slice(0, shown), ...(left === 0 ? [] : [`+${left}`])].join(", ");
  const kept = notationKept ? `Notation stays ${notation}.` : "";
  const sentences = [`${ref} unchanged: ${listed}.`, "Symbols stand.", kept, replayHint(seen)];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
