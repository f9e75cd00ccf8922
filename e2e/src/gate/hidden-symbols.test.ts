import type { JsonObject, Policy } from "@plasm/core";
import { expect, it } from "vitest";
import { callTool, requestOf } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

/** Nobody may delete boats or send them anything: `to` is what only a message has. */
const DENIED: Policy = { apis: { quay: { deny: ["boat_delete", "boat_send"] } } };

const world = useGateWorld({ per: "test" });

/** A session of this intent. */
async function open(intent: string): Promise<string> {
  const body = { intent, seeds: [{ api: "quay", entity: "Boat" }] };
  const opened = await world().fetch(requestOf("POST", "/execute", body));
  return opened.headers.get("location") ?? "";
}

type Symbols = Readonly<Record<"e" | "m" | "p", Readonly<Record<string, JsonObject | string>>>>;

const symbolsOf = async (place: string): Promise<Symbols> =>
  (await (await world().fetch(requestOf("GET", `${place}/symbols`))).json()) as Symbols;

it("TEACH-8 SURF-26 what policy hides keeps its number, and the map says nothing of it", async () => {
  const all = await symbolsOf(await open("all"));
  world().setPolicy(DENIED);
  const shown = await symbolsOf(await open("some"));
  expect(Object.keys(all.m)).toEqual(Object.keys(all.m).map((_, at) => `m${at + 1}`));
  const labels = ["delete", "send"];
  const kept = Object.entries(all.m).filter(
    ([, method]) => !labels.includes((method as JsonObject)["label"] as string),
  );
  expect(Object.keys(all.m).length - kept.length).toBe(2);
  expect(shown.m).toEqual(Object.fromEntries(kept));
  const names = Object.entries(all.p).filter(([, name]) => name !== "to");
  expect(Object.keys(all.p).length - names.length).toBe(1);
  expect(shown.p).toEqual(Object.fromEntries(names));
  expect(shown.e).toEqual(all.e);
});

it("TEACH-24 SURF-26 only the meta of the wave names what policy hides of an entity in use", async () => {
  world().setPolicy(DENIED);
  const args = { intent: "some", seeds: [{ api: "quay", entity: "Boat" }] };
  const { text, meta } = await callTool(world().fetch, "plasm_context", args);
  const [wave] = meta["waves"] as readonly JsonObject[];
  expect(wave?.["untaught"]).toEqual([
    { capability: "boat_delete", reason: "policy" },
    { capability: "boat_send", reason: "policy" },
  ]);
  expect(text).not.toMatch(/delete|send to|leave a message/);
});

it("SURF-25 what is allowed since is there at once; what was taught stays, though it is forbidden now", async () => {
  const taught = await open("all");
  const all = await symbolsOf(taught);
  world().setPolicy(DENIED);
  const place = await open("some");
  expect(await symbolsOf(taught)).toEqual(all);
  world().setPolicy({});
  expect((await symbolsOf(place)).m).toEqual(all.m);
});
