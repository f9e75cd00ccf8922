import { graftSection, type GraftSection, type JsonObject } from "@plasm/core";
import type { LoadedGrafts } from "./load-grafts.ts";

/** `_meta.plasm.grafts` of a set (GRAFT-15): how many there are, how many the section lists, its code points. */
export const graftsMeta = ({ set, grafts }: LoadedGrafts, section: GraftSection): JsonObject => ({
  count: grafts.length,
  indexed: section.indexed,
  hidden: section.hidden,
  chars: section.chars,
  revision: set.value.revision,
});

export const sectionOf = ({ header, grafts }: LoadedGrafts): GraftSection =>
  graftSection(header, grafts);

/** The same where nothing is attached (SURF-7). */
export const NO_GRAFTS: JsonObject = Object.freeze({ count: 0 });
