export type { CatalogSet } from "./federation/catalog-set.ts";
export type { EntityKey } from "./federation/entity-key.ts";
export type { Catalog } from "./mapping/catalog.ts";
export type {
  HttpMethod,
  HttpTemplate,
  PageParam,
  Pagination,
  PathSegment,
  ResponseShape,
  Template,
} from "./mapping/template.ts";
export type { PlanNode } from "./plan/node.ts";
export type { Bill, Figure, Plan, PlanBody, PlanReturn, PlanSummary, Reason } from "./plan/plan.ts";
export type { Pred, PlanValue } from "./plan/value.ts";
export type { ApiPolicy, BudgetName, Policy } from "./policy/policy.ts";
export type { Exposure, Notation } from "./symbols/exposure.ts";
export type { SymbolMap } from "./symbols/symbol-map.ts";
export type { WaveEntry } from "./symbols/wave-entry.ts";
export type { Json, JsonObject } from "./values/json.ts";
export type { ValueType } from "./values/value-type.ts";
