import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, spawnPlasm, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

const ASKING = { default: { apis: { quay: { approval: { operator: "all" } } } } };

async function withPolicy(policy: object) {
  const cwd = await temporaryDirectory();
  const file = join(cwd, "policy.json");
  await writeFile(file, JSON.stringify(policy));
  const args = ["serve", "--port=0", `--data=${cwd}`, `--catalogs=${fixture("quay")}`];
  return { cwd, file, args };
}

describe("plasm serve --policy (SURF-25)", { timeout: 60_000 }, () => {
  it("does not start with a fault, and tells file, place and what is allowed", async () => {
    const { cwd, file, args } = await withPolicy({ default: { forse: false } });
    const { code, stdout, stderr } = await runHere(args, { cwd, env: { PLASM_POLICY: file } });
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      `plasm: The policies in ${file} cannot be used:\n  default.forse: no such member; there are apis, force, budgets, unreviewed_reads, grafts, approval, quotas, programs. Did you mean force?\n`,
    ]);
  });

  it("does not start where it names an operator and none is there; then it does (OPS-36)", async () => {
    const { cwd, file, args } = await withPolicy(ASKING);
    const refused = await runHere([...args, `--policy=${file}`], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      "plasm: The policy of tenant anonymous demands an operator, and it has none. Make a key for one: plasm keys add --subject NAME, with the --data of this server\n",
    ]);
    const add = ["keys", "add", "--subject", "ann", "--data", cwd];
    expect((await runHere(add, { cwd })).code).toBe(0);
    const plasm = spawnPlasm([...args, `--policy=${file}`]);
    await plasm.said("Ctrl-C ends it.");
    plasm.stop("SIGTERM");
    expect(await plasm.ended).toMatchObject({ code: 0 });
  });
});
