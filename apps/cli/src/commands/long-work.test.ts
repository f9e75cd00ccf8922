import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplaceWithBoats } from "../testing/workplace.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

/** Reads every page: nobody waits for it unasked (OPS-9). */
const LONG = "Boat{built<1987-01-01}[id]";

describe("long work (SURF-21)", () => {
  it("L32 L33 L34 --wait=false --force answers a handle; wait and cancel are programs", async () => {
    const { done } = await workplaceWithBoats(server.url, "long work");
    const accepted = await done("run", "--wait=false", "--force", "-e", LONG);
    expect(accepted).toBe("wait(s0_o1) · verdict ok · plan `pc0`\n");
    expect(await done("run", "--wait", "-e", "wait(s0_o1)")).toContain("b38");
    expect(await done("run", "-e", "cancel(s0_o1)")).toMatch(/^s0_o1 ! \d+ rows\n$/);
  });
});
