import { expect, it, vi } from "vitest";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { DriftCounts } from "./drift.ts";

type Warn = (what: string, cause: unknown) => void;

it("OPS-66 an API that answers otherwise than its catalog says is told to operators once, and without a value", async () => {
  const api = boatsApi(3);
  const warn = vi.fn<Warn>();
  const driftCounts = new DriftCounts(() => Date.UTC(2026, 0, 5));
  const engine = engineOn({ store: testStore(), api, warn, driftCounts });
  const agent = await agentOn(engine);
  await agent.run("Boat[id, length]");
  const told = () => warn.mock.calls.map(([what]) => what).filter((what) => /otherwise/.test(what));
  expect(told()).toEqual([]);
  const odd = { id: "b1", name: "Alma", state: "moored", length: { secret: "4 m" } };
  api.before = async () => ({ status: 200, json: { items: [odd], page: 1, total: 1 } });
  await agent.run("Boat[id, length]");
  await agent.run("Boat.sort(id)[id, length]");
  expect(told()).toEqual([
    "quay answers otherwise than its catalog says: Boat.length: an object in a number field (value_unconverted)",
  ]);
  api.before = async () => ({
    status: 200,
    json: { items: [{ id: "b1", name: "Alma", state: "scuttled" }], page: 1, total: 1 },
  });
  const { text, meta } = await agent.run("Boat.sort(name)[id, state]");
  expect(text).toContain("scuttled");
  expect(meta["diagnostics"]).toEqual([]);
  expect(told().slice(1)).toEqual([
    "quay answers otherwise than its catalog says: Boat.state: a word that is none of its options (option_unknown)",
  ]);
  expect(driftCounts.of("quay")).toEqual([
    {
      entry_id: "quay",
      sign: "value_unconverted",
      count: 2,
      last: "Boat.length: an object in a number field",
      last_at: "2026-01-05T00:00:00.000Z",
    },
    expect.objectContaining({ sign: "option_unknown", count: 1 }),
  ]);
  expect(driftCounts.of("yard")).toEqual([]);
  await engine.close();
});
