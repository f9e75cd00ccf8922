import { type InPageApis, openInPageApis } from "@plasm/sample-apis/in-page";
import { readFixtureCatalog } from "@plasm/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { openPageEngine, type PageEngine } from "./open-engine.ts";

const SEEDS = [
  { api: "quay", entity: "Boat" },
  { api: "yard", entity: "Boat" },
];

let asked: string[];
let apis: InPageApis;
let engine: PageEngine;

beforeEach(async () => {
  asked = [];
  apis = openInPageApis(({ api, method, path }) => void asked.push(`${api} ${method} ${path}`));
  const names = ["quay", "yard"] as const;
  engine = await openPageEngine(
    names.map((entryId) => ({ texts: readFixtureCatalog(entryId), api: apis.fetch[entryId] })),
  );
  await engine.session.context({ intent: "boats", seeds: SEEDS, notation: "names" });
});

describe("an engine on APIs of a page (SURF-58)", () => {
  it("reads all pages of either API", async () => {
    const { session } = engine;
    const { results } = await session.run(await session.plan("e2.aggregate(n=count)"));
    expect(results[0]?.rows).toEqual([{ n: 45 }]);
    expect(asked).toEqual(Array.from({ length: 3 }, () => "yard GET /boats"));
  });

  it("says which entities can be read without knowing more", () => {
    const ofQuay = engine.entities.get("quay") ?? [];
    expect(ofQuay).toContainEqual({ name: "Boat", isOpen: true });
    expect(ofQuay).toContainEqual({ name: "Visit", isOpen: false });
  });

  it("changes something once its plan is approved, and not before (SURF-60)", async () => {
    const { session } = engine;
    const plan = await session.plan('Boat("b3").update(state=moored)[state]');
    await expect(session.run(plan)).rejects.toThrow();
    expect(asked).toEqual([]);
    const [waiting] = await session.approvals.list();
    if (waiting === undefined) throw new Error("no plan waits");
    await session.approvals.approve(waiting, { by: "you" });
    const { results } = await session.run(plan);
    expect(results[0]?.rows).toEqual([{ state: "moored" }]);
    expect(asked).toEqual(["quay PATCH /boats/b3"]);
    await apis.reset();
    const read = await session.run(await session.plan('Boat("b3")[state]'));
    expect(read.results[0]?.rows).toEqual([{ state: "lost" }]);
  });

  it("does not open on a catalog that does not load", async () => {
    const texts = { entryId: "shop", domain: "version: one\n", mappings: "" };
    await expect(openPageEngine([{ texts, api: apis.fetch.quay }])).rejects.toThrow();
  });
});
