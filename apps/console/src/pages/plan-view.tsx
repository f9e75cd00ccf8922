import { useMemo } from "preact/hooks";
import type { GraphEdge, GraphNode } from "../parts/graph.tsx";
import { LazyGraph } from "../parts/lazy-graph.tsx";
import { Card, Facts } from "../parts/ui.tsx";
import type { BillFigure } from "../records.ts";

interface PlanStep {
  readonly id: string;
  readonly kind: string;
  readonly effect_class: string;
  readonly relation?: string;
  readonly body?: { readonly kind: string };
  readonly op?: { readonly [name: string]: unknown };
}

/** A plan, as far as pages show it. */
export interface PlanDocument {
  readonly nodes: readonly PlanStep[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly returns: readonly { readonly label: string; readonly node: string }[];
  readonly bill: Readonly<Record<"requests" | "rows" | "effects", BillFigure>>;
}

export function shownFigure(figure: BillFigure): string {
  if ("exact" in figure) return String(figure.exact);
  return "max" in figure ? `at most ${figure.max}` : `not known: ${figure.unknown}`;
}

const CHANGES: ReadonlySet<string> = new Set(["create", "update", "delete", "action", "for_each"]);

const hasEffect = ({ kind, effect_class: effect }: PlanStep): boolean =>
  CHANGES.has(kind) || effect === "write" || effect === "side_effect";

/** The line of a plan's text that tells of each step, without its number. */
function linesOf(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").map((line) => /^(n\d+) (.*)$/.exec(line));
  return new Map(lines.flatMap((one) => (one === null ? [] : [[one[1] ?? "", one[2] ?? ""]])));
}

interface PlanGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** the same, step by step, for whoever reads */
  readonly words: readonly string[];
}

/** A plan as boxes and arrows, and as sentences; `text` is the plan as it is shown to agents. */
export function planGraph(plan: PlanDocument, text: string): PlanGraph {
  const lines = linesOf(text);
  const titleOf = ({ id, kind, relation, body, op }: PlanStep): string =>
    [id, body?.kind ?? Object.keys(op ?? {})[0] ?? kind, relation].filter(Boolean).join(" ");
  const detailOf = (step: PlanStep): string => {
    const line = lines.get(step.id) ?? "";
    // The arrows say what it reads from, its title what it is.
    const said = line.replace(/ ← n\d+(?:, n\d+)*(?= ·|$)/, "").replace(/^\S+ (· )?/, "");
    return said === "" ? step.kind : said;
  };
  const returned = new Map<string, string[]>();
  for (const { label, node } of plan.returns)
    returned.set(node, [...(returned.get(node) ?? []), label]);
  const resultId = (label: string): string => `result ${label}`;
  return {
    nodes: [
      ...plan.nodes.map((step) => ({
        id: step.id,
        title: titleOf(step),
        detail: detailOf(step),
        tone: hasEffect(step) ? ("warn" as const) : ("info" as const),
        mark: hasEffect(step) ? "changes data" : null,
      })),
      ...[...returned.values()].flat().map((label) => ({
        id: resultId(label),
        title: label,
        detail: "a result",
        tone: "good" as const,
        mark: null,
      })),
    ],
    edges: [
      ...plan.edges,
      ...[...returned].flatMap(([from, labels]) =>
        labels.map((label) => ({ from, to: resultId(label) })),
      ),
    ],
    words: plan.nodes.map((step) => {
      const from = plan.edges.filter(({ to }) => to === step.id).map((edge) => edge.from);
      const results = returned.get(step.id) ?? [];
      return [
        `${titleOf(step)}: ${detailOf(step)}`,
        hasEffect(step) ? "changes data" : null,
        from.length === 0 ? null : `reads from ${from.join(", ")}`,
        results.length === 0 ? null : `gives the result ${results.join(", ")}`,
      ]
        .filter((one) => one !== null)
        .join("; ");
    }),
  };
}

/** Steps and results of a plan that are drawn: more is neither read nor laid out in a moment. */
const MOST_DRAWN = 150;

interface PlanViewProps {
  readonly document: PlanDocument;
  readonly text: string;
  /** whether another program stands there by now */
  readonly isOld: boolean;
}

/** The plan of what is written: its steps and how rows go between them, and what it costs. */
export function PlanView({ document: plan, text, isOld }: PlanViewProps) {
  const { nodes, edges, words } = useMemo(() => planGraph(plan, text), [plan, text]);
  return (
    <Card
      title="What it would do"
      more={isOld ? <span class="dim">before your last change</span> : null}
    >
      {nodes.length > MOST_DRAWN ? (
        <p class="dim">{`It has ${words.length} steps: too many for a picture.`}</p>
      ) : (
        <LazyGraph label="The plan as a graph" nodes={nodes} edges={edges} />
      )}
      <Facts
        of={[
          ["Requests", shownFigure(plan.bill.requests)],
          ["Rows", shownFigure(plan.bill.rows)],
          ["Changes of data", shownFigure(plan.bill.effects)],
        ]}
      />
      <details>
        <summary>Its steps in words</summary>
        <ol class="words">
          {words.map((line, n) => (
            <li key={n}>{line}</li>
          ))}
        </ol>
      </details>
    </Card>
  );
}
