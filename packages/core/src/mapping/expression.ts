import type { Json } from "../values/json.ts";

/** An expression of a request template (mapping format, section 2). Gives a value or nothing. */
export type Expression =
  | { readonly type: "var"; readonly name: string }
  | { readonly type: "const"; readonly value: Json }
  | { readonly type: "object"; readonly fields: readonly (readonly [string, Expression])[] }
  | { readonly type: "array"; readonly elements: readonly Expression[] }
  | {
      readonly type: "if";
      readonly condition: Condition;
      readonly thenExpr: Expression;
      readonly elseExpr: Expression;
    }
  | { readonly type: "join"; readonly sep: string; readonly expr: Expression }
  | {
      readonly type: "format";
      readonly template: string;
      readonly vars: ReadonlyMap<string, Expression>;
    }
  | { readonly type: "call"; readonly function: string; readonly args: readonly Expression[] };

export type Condition =
  | { readonly type: "exists"; readonly name: string }
  | { readonly type: "equals"; readonly left: Expression; readonly right: Expression }
  | { readonly type: "bool"; readonly expr: Expression };
