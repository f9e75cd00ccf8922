import type { Policy } from "@plasm/core";
import { afterEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

async function stepsOf(entity: string, policy: Policy) {
  const policies = { policyOf: () => policy };
  const engine = engineOn({ store: testStore(), api: boatsApi(), policies });
  engines.push(engine);
  const { entities } = await engine.registryEntry(LOCAL, "quay");
  const found = entities.find((one) => one.entity === entity);
  return found?.relations.map(({ relation, target, cardinality }) => [
    relation,
    target,
    cardinality,
  ]);
}

describe("where the entities of a catalog lead (SURF-47)", () => {
  it("is told with relations and fields that refer to another entity, by name", async () => {
    const steps = await stepsOf("Boat", {});
    expect(steps).toContainEqual(["owner", "Person", "one"]);
    expect(steps).toContainEqual(["twin", "Boat", "one"]);
    expect(steps).toContainEqual(["visits", "Visit", "many"]);
    const names = steps?.map(([name]) => name);
    expect(names).toEqual(names?.toSorted());
  });

  it("hides one whose rows are read by what policy forbids (SURF-26)", async () => {
    const steps = await stepsOf("Boat", { apis: { quay: { deny: ["visit_query"] } } });
    expect(steps?.map(([name]) => name)).not.toContain("visits");
    expect(steps).toContainEqual(["owner", "Person", "one"]);
  });
});
