import { useMemo, useState } from "preact/hooks";
import type { GraphEdge, GraphNode } from "../parts/graph.tsx";
import { LazyGraph } from "../parts/lazy-graph.tsx";
import { Card, Empty, Table } from "../parts/ui.tsx";
import type { CatalogEntity } from "../records.ts";

interface CatalogGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** Entities that are drawn at once: more is neither read nor laid out in a moment. */
const MOST_DRAWN = 60;

/** An entity and those that it leads to, or that lead to it. */
const around = (entities: readonly CatalogEntity[], centre: string): readonly CatalogEntity[] =>
  entities.filter(
    ({ entity, relations }) =>
      entity === centre ||
      relations.some(({ target }) => target === centre) ||
      entities.some(
        (one) => one.entity === centre && one.relations.some((to) => to.target === entity),
      ),
  );

/** Entities as boxes, their relations as arrows: one for all that lead from one entity to another. */
export function catalogGraph(entities: readonly CatalogEntity[]): CatalogGraph {
  const shown = new Set(entities.map(({ entity }) => entity));
  return {
    nodes: entities.map(({ entity, capabilities }) => ({
      id: entity,
      title: entity,
      detail: capabilities.map(({ label }) => label).join(", ") || "nothing of its own",
      tone: capabilities.some(({ kind }) => CHANGES.has(kind)) ? "warn" : "info",
      mark: capabilities.some(({ kind }) => CHANGES.has(kind)) ? "can change" : null,
    })),
    edges: entities.flatMap(({ entity, relations }) =>
      [...new Set(relations.map(({ target }) => target))]
        .filter((target) => shown.has(target) && target !== entity)
        .map((to) => ({ from: entity, to })),
    ),
  };
}

const CHANGES: ReadonlySet<string> = new Set(["create", "update", "delete", "action"]);

/** The entities of a catalog and what leads from one to another, as a picture and in words. */
export function Relations({ entities }: { entities: readonly CatalogEntity[] }) {
  const isLarge = entities.length > MOST_DRAWN;
  const [centre, setCentre] = useState("");
  const shown = useMemo(
    () => (centre === "" ? (isLarge ? [] : entities) : around(entities, centre)),
    [entities, centre],
  );
  const { nodes, edges } = useMemo(() => catalogGraph(shown), [shown]);
  const rows = shown.flatMap(({ entity, relations }) =>
    relations
      .filter(({ target }) => centre === "" || entity === centre || target === centre)
      .map((one) => ({ entity, ...one })),
  );
  return (
    <Card title="How entities belong together">
      <div class="row">
        <label for="around">Around</label>
        <select
          id="around"
          value={centre}
          onChange={({ currentTarget }) => setCentre(currentTarget.value)}
        >
          <option value="">{isLarge ? "choose an entity" : "all entities"}</option>
          {entities.map(({ entity }) => (
            <option key={entity} value={entity}>
              {entity}
            </option>
          ))}
        </select>
      </div>
      {isLarge && centre === "" ? (
        <p class="dim">{`It has ${entities.length} entities: too many for one picture. Choose one to see what it belongs to.`}</p>
      ) : nodes.length > MOST_DRAWN ? (
        <p class="dim">{`${nodes.length} entities belong to it: too many for a picture. The list below has them.`}</p>
      ) : (
        <LazyGraph label="Entities and their relations" nodes={nodes} edges={edges} />
      )}
      {rows.length === 0 ? (
        isLarge && centre === "" ? null : (
          <Empty title="No entity leads to another one." />
        )
      ) : (
        <details>
          <summary>Relations in words</summary>
          <Table label="Relations" head={["From", "By", "To", "What it is"]}>
            {rows.map(({ entity, relation, target, cardinality, description }) => (
              <tr key={`${entity}.${relation}`}>
                <td>
                  <code>{entity}</code>
                </td>
                <td>
                  <code>.{relation}</code>
                </td>
                <td>
                  {cardinality === "many" ? "many " : "one "}
                  <code>{target}</code>
                </td>
                <td>{description}</td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </Card>
  );
}
