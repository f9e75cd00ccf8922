import type { Catalog } from "../../mapping/catalog.ts";
import { isPaged } from "../../mapping/is-paged.ts";
import { innerCapabilities, viewOf } from "../../mapping/view-of.ts";
import { VIEW_PAGES, type View } from "../../schema/view.ts";
import type { Figure } from "../plan.ts";
import { atMost, ONE, plus, ZERO } from "./figure.ts";

/** What one call of a read sends, and how many of the requests are list pages. */
export interface CallCost {
  readonly requests: Figure;
  readonly pages: Figure;
}

/** One request, `auxiliary_merge` one more; of a view the sum of its nodes (PLAN-020, RUN-100). */
export function callCost(catalog: Catalog, capability: string): CallCost {
  const view = viewOf(catalog, { name: capability });
  if (view === null) {
    return { requests: hasSecondRead(catalog, capability) ? { exact: 2 } : ONE, pages: ZERO };
  }
  const costs = view.nodes.map((node) => nodeCost(catalog, node.capability));
  const sum = (figures: readonly Figure[]): Figure => figures.reduce(plus, ZERO);
  const known = sum(costs.map(({ requests }) => requests));
  return {
    requests: mayCoincide(catalog, view) ? atMost(known) : known,
    pages: sum(costs.map(({ pages }) => pages)),
  };
}

function nodeCost(catalog: Catalog, name: string): CallCost {
  const template = catalog.cml.get(name);
  const kind = catalog.cgs.capabilities.get(name)?.kind;
  if (template === undefined || template.transport === "view" || kind === "get") {
    return callCost(catalog, name);
  }
  const requests: Figure = isPaged(template) ? { max: VIEW_PAGES } : ONE;
  return { requests, pages: requests };
}

/** Whether two nodes may send one and the same request, which then goes out once (RUN-023). */
function mayCoincide(catalog: Catalog, view: View): boolean {
  const used = view.nodes.flatMap(({ capability }) => [
    capability,
    ...innerCapabilities(catalog, { name: capability }).map(({ name }) => name),
  ]);
  return new Set(used).size < used.length;
}

/** Whether a response is completed by a second read (`auxiliary_merge`), which only gets have. */
function hasSecondRead({ cml }: Catalog, capability: string): boolean {
  const template = cml.get(capability);
  return template?.transport === "http" && template.response.auxiliaryMerge !== undefined;
}
