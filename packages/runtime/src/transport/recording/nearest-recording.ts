import type { RequestShape } from "../../ports.ts";

const pairText = (pair: readonly [string, string]): string => JSON.stringify(pair);

/** The names of query keys whose values differ. */
function differingKeys(a: RequestShape["query"], b: RequestShape["query"]): readonly string[] {
  const [inA, inB] = [new Set(a.map(pairText)), new Set(b.map(pairText))];
  const differing = [
    ...a.filter((pair) => !inB.has(pairText(pair))),
    ...b.filter((pair) => !inA.has(pairText(pair))),
  ];
  return [...new Set(differing.map(([name]) => name))];
}

function sharedSegments(a: string, b: string): number {
  const [first, second] = [a.split("/"), b.split("/")];
  const at = first.findIndex((segment, i) => segment !== second[i]);
  return at < 0 ? first.length : at;
}

/** How much two requests have in common; more is nearer. What is called outweighs how it is asked. */
function closeness(a: RequestShape, b: RequestShape): number {
  const segments = Math.max(a.path.split("/").length, b.path.split("/").length);
  const path = a.path === b.path ? 1 : sharedSegments(a.path, b.path) / (segments + 1);
  const keys = a.query.length + b.query.length;
  const query = keys === 0 ? 1 : 1 - differingKeys(a.query, b.query).length / (keys + 1);
  const method = a.method === b.method ? 1 : 0;
  const transport = a.transport === b.transport ? 1 : 0;
  const format = a.format === b.format ? 1 : 0;
  const template = a.template === b.template ? 1 : 0;
  return transport * 64 + template * 32 + path * 16 + method * 8 + query * 4 + format;
}

function differences(a: RequestShape, b: RequestShape): string {
  const keys = differingKeys(a.query, b.query);
  const parts = [
    ...(a.transport === b.transport ? [] : ["transport"]),
    ...(a.method === b.method ? [] : ["method"]),
    ...(a.path === b.path ? [] : ["path"]),
    ...(keys.length === 0 ? [] : [`query ${keys.slice(0, 5).join(", ")}`]),
    ...(a.format === b.format ? [] : ["format of the body"]),
  ];
  return parts.length === 0 ? "body" : parts.join(", ");
}

/**
 * The recorded request nearest to one that is not recorded, by method and path template, and in what it
 * differs; no values (RUN-142, RUN-150).
 */
export function nearestRecording(wanted: RequestShape, recorded: Iterable<RequestShape>): string {
  let nearest: RequestShape | null = null;
  let best = -1;
  for (const shape of recorded) {
    const score = closeness(wanted, shape);
    if (score > best) [nearest, best] = [shape, score];
  }
  if (nearest === null) return "it holds no request at all";
  const { method, template } = nearest;
  return `nearest is ${method} ${template}, which differs in ${differences(wanted, nearest)}`;
}
