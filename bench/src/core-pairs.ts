import {
  canonicalJson,
  commitOf,
  compileProgram,
  CURRENT_FEATURES,
  exposeSeeds,
  renderPlan,
  type Plan,
} from "@plasm/core";
import { parseProgram } from "@plasm/core/internal";
import { discoveryPairs } from "./discovery-pairs.ts";
import type { Pair } from "./pair.ts";
import { TEN_STATEMENTS } from "./program.ts";
import { entitiesOf, quayCatalog, wholeExposure } from "./quay.ts";
import { capabilityTools } from "@plasm/eval";
import { wideCatalog } from "./wide.ts";
import { jsonOf, widePlan } from "./wide-program.ts";

function compiled(exposure: ReturnType<typeof wholeExposure>): Plan {
  const result = compileProgram(TEN_STATEMENTS, exposure);
  if (result.kind !== "plan") throw new Error("The benchmark's program does not compile");
  return result.plan;
}

/** The pure half of a call, each step against the nearest thing every JavaScript program does. */
export function corePairs(): readonly Pair[] {
  const catalog = quayCatalog();
  const exposure = wholeExposure(catalog);
  const plan = compiled(exposure);
  const asJson = jsonOf(TEN_STATEMENTS.length);
  const planJson = JSON.stringify(plan);
  const { version, nodes, edges, topological_order, returns } = widePlan(exposure, 200);
  const body = { version, nodes, edges, topological_order, returns };
  const seeds = [{ entryId: catalog.entryId, entities: entitiesOf(catalog) }];
  const catalogs = new Map([[catalog.entryId, catalog]]);
  const setup = { catalogs, notation: "symbols" as const, policy: {}, features: CURRENT_FEATURES };
  const wide = wideCatalog(50);
  const wideSeeds = [{ entryId: wide.entryId, entities: entitiesOf(wide) }];
  const wideSetup = { ...setup, catalogs: new Map([[wide.entryId, wide]]) };
  return [
    {
      name: "parse",
      ours: { what: "parse ten statements", run: () => parseProgram(TEN_STATEMENTS) },
      base: {
        what: "JSON.parse of as many bytes of tool calls",
        run: () => JSON.parse(asJson) as unknown,
      },
    },
    {
      name: "check and plan",
      ours: {
        what: "parse, check, plan and hash",
        run: () => compileProgram(TEN_STATEMENTS, exposure),
      },
      base: { what: "parse alone", run: () => parseProgram(TEN_STATEMENTS) },
    },
    {
      name: "hash",
      ours: { what: "commit id of a plan of 200 nodes", run: () => commitOf(body) },
      base: { what: "canonical JSON of its members", run: () => canonicalJson(body) },
    },
    {
      name: "expose",
      ours: {
        what: "fold and teach a catalog",
        run: () => exposeSeeds({ exposure: null, seeds, ...setup }),
      },
      base: {
        what: "print one JSON-schema tool per capability",
        run: () => JSON.stringify(capabilityTools(catalog)),
      },
    },
    {
      name: "wave",
      ours: {
        what: "fold and teach a wave of 50 entities (TEACH-42: at most 50 ms)",
        run: () => exposeSeeds({ exposure: null, seeds: wideSeeds, ...wideSetup }),
      },
      base: {
        what: "print one JSON-schema tool per capability of them",
        run: () => JSON.stringify(capabilityTools(wide)),
      },
    },
    {
      name: "render",
      ours: { what: "dry-run text", run: () => renderPlan(plan, "pc0") },
      base: { what: "JSON.parse of the plan", run: () => JSON.parse(planJson) as unknown },
    },
    ...discoveryPairs(),
  ];
}
