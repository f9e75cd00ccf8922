import { parseDocument } from "yaml";
import type { PageCatalog } from "../engine/open-engine.ts";

/** The files of the sample catalogs, which the build puts here. */
declare const SAMPLE_CATALOGS: readonly PageCatalog["texts"][];

/** The harbour's catalog, which also says what takes an update back: the tour shows it. */
function withUndo(domain: string): string {
  const document = parseDocument(domain);
  document.setIn(["capabilities", "boat_update", "undo"], "restore");
  return document.toString({ lineWidth: 0 });
}

/** Texts of the catalogs of the sample APIs. */
export const sampleTexts = (): readonly PageCatalog["texts"][] =>
  SAMPLE_CATALOGS.map((texts) =>
    texts.entryId === "quay" ? { ...texts, domain: withUndo(texts.domain) } : texts,
  );
