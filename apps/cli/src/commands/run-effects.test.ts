import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, spawnPlasm } from "../testing/spawn-plasm.ts";
import { startStalledApi } from "../testing/stalled-api.ts";
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

/** The writes that the APIs were asked for since the last look. */
function writes(): readonly string[] {
  const seen = server.apis.requests.filter(({ method }) => method !== "GET");
  server.apis.forgetRequests();
  return seen.map(({ method, path }) => `${method} ${path}`);
}

describe("plasm run of a program with effects (SURF-22)", () => {
  it("ends with 3 and sends nothing; with --commit it runs, once (OPS-3, G1)", async () => {
    const { plasm, done } = await workplaceWithBoats(server.url, "paint");
    const update = ["run", "-e", 'Boat("b1").update(note="painted")[id, note]'] as const;
    const blocked = await plasm(update);
    expect([blocked.code, blocked.stdout]).toEqual([3, ""]);
    expect(blocked.stderr).toMatch(
      /^review pc0: not run \(no ref\)\nreview effect n1 Boat: update\n/,
    );
    expect(blocked.stderr).toMatch(/\nHere: plasm run --commit pc0\n$/);
    expect(writes()).toEqual([]);
    const first = await done(...update, "--commit", "pc0");
    expect(first).toMatch(/\nb1\tpainted\n```\ndone update quay\.Boat b1\n$/);
    for (const again of [
      await done(...update, "--commit", "pc0"),
      await done("run", "--commit", "pc0"),
    ]) {
      expect(again).toMatch(/\nnote: pc0 ran \d+ s ago \(r\/1\); plan again to repeat it\n$/);
    }
    expect(writes()).toEqual(["PATCH /boats/b1"]);
  });

  it("runs each time with --force", async () => {
    const { done } = await workplaceWithBoats(server.url, "ping");
    const ping = ["run", "-e", 'Boat("b1").ping()', "--force"] as const;
    expect(await done(...ping)).toContain("done ping quay.Boat b1");
    expect(await done(...ping)).not.toContain("note:");
    expect(writes()).toEqual(["POST /boats/b1/ping", "POST /boats/b1/ping"]);
  });

  it("ends with 1 where an effect fails, and says what was done (OPS-29)", async () => {
    const { plasm } = await workplaceWithBoats(server.url, "fail");
    const program = 'Boat("b1").ping()\nBoat("none").delete()\nBoat("b2").ping()';
    const { code, stdout, stderr } = await plasm(["run", "-e", program, "--force"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^failed at n2: not_found 404 from quay\neffects: 1 done, 1 failed, 1 not started\ndone n1 ping quay\.Boat b1\nfailed n2 delete quay\.Boat none\nnot started n3 ping quay\.Boat b2\n/,
    );
    expect(stderr).toContain("; do not repeat line 1, its effect is done\n");
    expect(writes()).toEqual(["POST /boats/b1/ping", "DELETE /boats/none"]);
  });

  it.each([
    ["--commit", ["--commit", "pc0", "--commit", "pc1"]],
    ["-e", ["-e", "Person"]],
  ])("refuses %s given twice, and sends nothing", async (_name, more) => {
    const { plasm } = await workplaceWithBoats(server.url, "twice");
    const { code, stderr } = await plasm(["run", "-e", 'Boat("b1").ping()', ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain("It is given twice.");
    expect(writes()).toEqual([]);
  });

  it("Ctrl-C says how to learn what was done (OPS-11)", async () => {
    const api = await startStalledApi();
    const slow = await startServer({ quay: api.url });
    const { cwd, plasm } = await workplaceWithBoats(slow.url, "interrupt");
    const ping = ["run", "-e", 'Boat("b1").ping()'] as const;
    expect((await plasm([...ping, "--mode", "plan"])).code).toBe(0);
    const running = spawnPlasm([...ping, "--commit", "pc0"], cwd);
    await api.asked;
    running.stop("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toBe(
      "plasm: interrupted. The run stops before its next effect, or goes on by itself; the same command again tells what was done under pc0, and repeats nothing.\n",
    );
    await api.close();
    await slow.close();
  });
});
