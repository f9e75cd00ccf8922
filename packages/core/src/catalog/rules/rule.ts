import type { DomainDoc } from "../format/domain-shape.ts";
import type { TemplateDoc } from "../format/template-shape.ts";
import type { Catalog } from "../../mapping/template.ts";
import type { PartView } from "./part-view.ts";

/** What a rule looks at: both files as read, the graph made of them, and where to report. */
export interface RuleContext {
  readonly entryId: string;
  /** Names of registered functions (RUN-105). */
  readonly functions: readonly string[];
  readonly domain: DomainDoc;
  readonly mappings: ReadonlyMap<string, TemplateDoc>;
  /** The graph and templates; its digest is not known yet. */
  readonly catalog: Catalog;
  readonly inDomain: PartView;
  readonly inMappings: PartView;
}

/** One requirement on the files of a catalog, or a small family of them. Reports, never throws. */
export type Rule = (context: RuleContext) => void;
