import quayDomain from "@plasm/testkit/catalogs/quay/domain.yaml?raw";
import quayMappings from "@plasm/testkit/catalogs/quay/mappings.yaml?raw";
import yardDomain from "@plasm/testkit/catalogs/yard/domain.yaml?raw";
import yardMappings from "@plasm/testkit/catalogs/yard/mappings.yaml?raw";
import { parseDocument } from "yaml";
import type { PageCatalog } from "../engine/open-engine.ts";

/** The harbour's catalog, which also says what takes an update back: the tour shows it. */
function withUndo(domain: string): string {
  const document = parseDocument(domain);
  document.setIn(["capabilities", "boat_update", "undo"], "restore");
  return document.toString({ lineWidth: 0 });
}

/** Texts of the catalogs of the sample APIs. */
export const SAMPLE_TEXTS: readonly PageCatalog["texts"][] = [
  { entryId: "quay", domain: withUndo(quayDomain), mappings: quayMappings },
  { entryId: "yard", domain: yardDomain, mappings: yardMappings },
];
