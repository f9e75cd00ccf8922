import { testValue, type ViewRelationOutput } from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";
import { failure, RunFailure } from "../run-failure.ts";
import { nodeFieldType, rowsOf, type ViewAnswer } from "./view-outputs.ts";

/** The rows of a relation output, in the node's order (RUN-100). Throws RunFailure. */
export function relationOutput(
  answer: ViewAnswer,
  output: ViewRelationOutput,
): readonly EntityRow[] {
  const rows = boundRows(answer, output);
  if (output.cardinality === "one" && rows.length > 1) throw notOne(answer, output, rows.length);
  return rows;
}

function boundRows(answer: ViewAnswer, output: ViewRelationOutput): readonly EntityRow[] {
  const { binding } = output;
  const { rows } = rowsOf(answer, binding.node);
  switch (binding.kind) {
    case "node_all_rows":
      return rows;
    case "node_single_row":
      if (rows.length !== 1) throw notOne(answer, output, rows.length);
      return rows;
    case "first_node_row_where":
    case "node_rows_where": {
      const type = nodeFieldType(answer, binding.node, binding.whereField);
      const found = rows.filter(({ fields }) =>
        testValue(fields.get(binding.whereField), "=", binding.equals, type),
      );
      return binding.kind === "node_rows_where" ? found : found.slice(0, 1);
    }
  }
}

function notOne(answer: ViewAnswer, output: ViewRelationOutput, found: number): RunFailure {
  const { key } = answer.plan.view;
  const { relation, binding } = output;
  return new RunFailure(
    failure(
      "singleton_count",
      `Node ${binding.node} of view ${key} gave ${found} rows, where ${relation} takes one.`,
      "ask for something else, or correct the view in the catalog",
    ),
  );
}
