import { join } from "node:path";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { LOCAL } from "@plasm/agent-core";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHost, type Host } from "./open-host.ts";
import type { HostOptions } from "./host-options.ts";

let dataDir: string;
const hosts: Host[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-strict-"));
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function host(more: Partial<HostOptions>): Promise<Host> {
  const catalogs = [fixtureCatalogDir("quay")];
  const opened = await openHost({ dataDir, catalogs, env: {}, ...more });
  hosts.push(opened);
  return opened;
}

/** What an effect comes to that the agent forces, or the code it is refused with. */
async function forced({ engine }: Host): Promise<string> {
  const seeds = [{ api: "quay", entity: "Boat" }];
  await engine.context(LOCAL, { intent: "notes", seeds, notation: "names" });
  try {
    const to = { kind: "ref", ref: "s0" } as const;
    await engine.run(LOCAL, to, { program: 'Boat("b1").update(note="x")', force: true });
    return "ran";
  } catch (thrown) {
    return engine.problemOf(thrown).code;
  }
}

describe("18.20 a strict start", () => {
  it("refuses force whatever the policies say, and without it force runs", async () => {
    const policyFile = join(dataDir, "policy.json");
    await writeFile(policyFile, JSON.stringify({ default: { force: true } }));
    expect(await forced(await host({ strict: true, policyFile }))).toBe("plasm-force-denied");
    expect(await forced(await host({ policyFile }))).not.toBe("plasm-force-denied");
  });

  it("is refused for a policy of an administrator's, too", async () => {
    const strict = await host({ strict: true });
    const { administrators } = strict;
    await administrators.policies.put("root", LOCAL.scope, { force: true });
    expect(await forced(strict)).toBe("plasm-force-denied");
  });

  it("uses the credentials of users, as PLASM_CREDENTIALS=user does", async () => {
    const seeds = [{ api: "quay", entity: "Boat" }];
    const caller = { scope: "acme", subject: "desk", connection: null, actAs: ["ann"] };
    const asked = { intent: "for ann", seeds, principal: "ann" };
    const strict = await host({ strict: true });
    await expect(strict.engine.context(caller, asked)).resolves.toBeDefined();
    const usual = await host({});
    await expect(usual.engine.context(caller, asked)).rejects.toThrow("PLASM_CREDENTIALS=user");
  });

  it("does not start where a setting says otherwise", async () => {
    const env = { PLASM_CREDENTIALS: "deployment" };
    await expect(host({ strict: true, env })).rejects.toThrow(
      "--strict uses the credentials of users, which PLASM_CREDENTIALS=deployment rules out",
    );
  });

  it("says what it holds", async () => {
    const { remarks } = await host({ strict: true });
    expect(remarks.join("\n")).toMatch(/strict: .*force.*credentials of users.*at most/);
  });
});
