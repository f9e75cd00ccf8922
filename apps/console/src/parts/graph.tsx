import { Graph as Layout, layout } from "@dagrejs/dagre";
import { useMemo } from "preact/hooks";
import type { Tone } from "./ui.tsx";

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly tone: Tone;
  /** what its colour says, in a word */
  readonly mark: string | null;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

interface GraphProps {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** px of a sign, of the font of titles and of that of the rest */
const [TITLE_PX, DETAIL_PX] = [7.4, 6.4];
const MOST_SIGNS = 34;
const HEIGHT = 52;

const cut = (text: string): string => {
  const signs = [...text];
  return signs.length <= MOST_SIGNS ? text : `${signs.slice(0, MOST_SIGNS - 1).join("")}…`;
};

const widthOf = ({ title, detail, mark }: GraphNode): number =>
  Math.max(
    120,
    [...cut(title)].length * TITLE_PX +
      (mark === null ? 0 : [...mark].length * DETAIL_PX + 28) +
      28,
    [...cut(detail)].length * DETAIL_PX + 28,
  );

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line through the middles between points, so that it bends instead of breaking. */
function curve(points: readonly Point[]): string {
  const [first = { x: 0, y: 0 }, ...rest] = points;
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1).map(({ x, y }, n) => {
    const next = rest[n + 1] ?? last;
    return `Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}`;
  });
  return `M${first.x} ${first.y} ${bends.join(" ")} L${last.x} ${last.y}`;
}

function placed(nodes: readonly GraphNode[], edges: readonly GraphEdge[]) {
  const graph = new Layout({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 44, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, { width: widthOf(node), height: HEIGHT });
  edges.forEach(({ from, to }, n) => graph.setEdge(from, to, {}, String(n)));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const boxes = nodes.map((node) => {
    const box = graph.node(node.id) as Point & { readonly width: number };
    return { node, x: box.x - box.width / 2, y: box.y - HEIGHT / 2, width: box.width };
  });
  const lines = edges.map(({ from, to }, n) => {
    const line = graph.edge(from, to, String(n)) as { readonly points: readonly Point[] };
    return curve(line.points);
  });
  return { width, height, boxes, lines };
}

/** Boxes and arrows between them. It is a picture: whoever shows it says the same in words beside it. */
export function Graph({ label, nodes, edges }: GraphProps) {
  const { width, height, boxes, lines } = useMemo(() => placed(nodes, edges), [nodes, edges]);
  const arrow = `arrow-${label.replaceAll(/\W+/g, "-")}`;
  return (
    <div class="graph" role="region" aria-label={label} tabIndex={0}>
      <svg
        role="img"
        aria-label={`${label}, described below`}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
      >
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {lines.map((line, n) => (
          <path key={n} class="edge" d={line} marker-end={`url(#${arrow})`} />
        ))}
        {boxes.map(({ node, x, y, width: wide }) => (
          <g key={node.id} class={`node ${node.tone}`} transform={`translate(${x} ${y})`}>
            <title>{`${node.title}\n${node.detail}`}</title>
            <rect width={wide} height={HEIGHT} rx="8" />
            <text x="14" y="21" class="node-title">
              {cut(node.title)}
            </text>
            {node.mark === null ? null : (
              <text x={wide - 14} y="21" text-anchor="end" class="node-mark">
                {node.mark}
              </text>
            )}
            <text x="14" y="40">
              {cut(node.detail)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
