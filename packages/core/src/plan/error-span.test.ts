import { expect, test } from "vitest";
import { planOf } from "../../test/plan-of.ts";
import { errorSpan } from "./error-span.ts";

test.each([
  ["LF", "\n"],
  ["CRLF", "\r\n"],
])("ERR-002 an error within a template points at what was written, %s", (_name, newline) => {
  const lines = [
    'boat = Boat("b1")',
    "t = Boat.limit(2) <<T",
    "å😀 {{ boat.p15 }}",
    "😀 {{ boat.p15 }} {{ rows[0].p13.dock }}",
    "T",
    "t",
  ];
  const plan = planOf(lines.join(newline));
  const node = plan.nodes.at(-1);
  const text = node?.kind === "compute" && "render" in node.op ? node.op.render.text : "";
  const start = text.indexOf("dock");
  const span = errorSpan(plan, node?.id ?? "", { start, end: start + 4 });
  expect(plan.source.slice(span?.start, span?.end)).toBe("dock");
  expect([span?.line, span?.column]).toEqual([4, 33]);
  expect(errorSpan(plan, node?.id ?? "", null)).toEqual(plan.summary.nodes[node?.id ?? ""]?.span);
  expect(errorSpan(plan, "n1", { start, end: start })).toEqual(plan.summary.nodes["n1"]?.span);
  expect(errorSpan(plan, "n99", null)).toBeNull();
});
