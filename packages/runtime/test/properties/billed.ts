import assert from "node:assert/strict";
import {
  ALL_FEATURES,
  type Catalog,
  compileProgram,
  type Exposure,
  foldWaves,
  type Plan,
} from "@plasm/core";
import { readFixtureCatalog, servedProperty } from "@plasm/testkit";
import fc from "fast-check";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../../src/testing/fixture-run.ts";
import { billedProgram } from "./billed-program.ts";
import { answerOf, arbitraryQuay, PAGE_SIZES, type Quay } from "./billed-quay.ts";
import { judge } from "./judge-bill.ts";

interface World {
  readonly server: TestServer;
  readonly exposures: ReadonlyMap<number, Exposure>;
  /** what the server is, for the run at hand */
  quay: Quay;
  readonly told: { runs: number; refused: number; failed: number; exact: number; bounded: number };
}

/** All of quay with another declared page size. */
function exposureOf(size: number): Exposure {
  const { domain, mappings } = readFixtureCatalog("quay");
  const catalog: Catalog = catalogOf(
    "quay",
    domain,
    mappings.replaceAll("fixed: 20", `fixed: ${size}`),
  );
  const catalogs = new Map([["quay", catalog]]);
  const log = [
    {
      entryId: "quay",
      digest: catalog.digest,
      entities: [...catalog.cgs.entities.keys()].toSorted((a, b) => (a < b ? -1 : 1)),
    },
  ];
  return { catalogs, log, symbols: foldWaves(log, catalogs), notation: "names", policy: {} };
}

async function start(): Promise<World> {
  const world = {
    exposures: new Map(PAGE_SIZES.map((size) => [size, exposureOf(size)])),
    quay: { boats: 0, size: 20, most: 100, listed: "all", nested: true, performed: "all" } as Quay,
    told: { runs: 0, refused: 0, failed: 0, exact: 0, bounded: 0 },
  };
  const server = await startServer((request) => answerOf(open.quay, request));
  const open: World = Object.assign(world, { server });
  return open;
}

async function end({ server, told }: World): Promise<void> {
  await server.close();
  // Of programs that are refused or fail little is learnt, and only an exact bill can be missed both ways.
  const said = JSON.stringify(told);
  assert(told.refused <= told.runs / 3, said);
  assert(told.failed <= told.runs / 3, said);
  if (told.runs >= 100) assert(told.exact >= told.runs / 10, said);
}

async function check(world: World, quay: Quay, program: string): Promise<void> {
  world.quay = quay;
  world.told.runs += 1;
  const exposure = world.exposures.get(quay.size);
  const catalog = exposure?.catalogs.get("quay");
  assert(exposure !== undefined && catalog !== undefined);
  const compiled = compileProgram(program, exposure, { features: ALL_FEATURES });
  if (compiled.kind !== "plan") return void (world.told.refused += 1);
  const { plan } = compiled;
  const { server, told } = world;
  server.log.splice(0);
  const backends = { quay: server.url };
  const outcome = await run({ catalogs: [catalog], backends }, plan.nodes, plan.returns);
  const received = server.log.splice(0);
  if (outcome.status === "failed") told.failed += 1;
  else if (isExact(plan)) told.exact += 1;
  else told.bounded += 1;
  judge(catalog, plan, outcome, received);
}

/** A bill with reads that are only possible promises no number, whatever its sum says. */
const isExact = ({ summary: { bill } }: Plan): boolean =>
  "exact" in bill.requests && bill.hydration.possible === 0;

export const requestsAreBilled = servedProperty({
  key: "G7-bill",
  says: "the bill's exact figures are what a run sends, and what it sends is within the others",
  runs: 300,
  start,
  end,
  holds: (world) =>
    fc.asyncProperty(arbitraryQuay, billedProgram, (quay, program) => check(world, quay, program)),
});

export const properties = [requestsAreBilled];
