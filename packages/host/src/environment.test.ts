import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { HostStartError, readEnvironment, switchIn } from "./environment.ts";
import { cleanUp, temporaryDirectory } from "./testing/data-directory.ts";

afterAll(cleanUp);

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryDirectory();
});

describe("environment files", () => {
  it("the process comes first, then the file named, then .env of the data directory", async () => {
    const file = join(cwd, "named.env");
    await writeFile(join(cwd, ".env"), "A=data\nB=data\nC=data\n", { mode: 0o600 });
    await writeFile(file, "# comment\nA=named\nB='named one'\n", { mode: 0o600 });
    const { env, remarks } = await readEnvironment({ A: "process" }, cwd, file);
    expect(env).toEqual({ A: "process", B: "named one", C: "data" });
    expect(remarks).toEqual([]);
  });

  it("RUN-125 the key of stored secrets is not taken from the data directory, which may be copied", async () => {
    await writeFile(join(cwd, ".env"), "PLASM_SECRETS_KEY_COMMAND=echo\nA=1\n", { mode: 0o600 });
    const { env, remarks } = await readEnvironment({ PLASM_SECRETS_KEY: "k" }, cwd, undefined);
    expect(env).toEqual({ A: "1", PLASM_SECRETS_KEY: "k" });
    expect(remarks).toEqual([
      expect.stringMatching(/^PLASM_SECRETS_KEY_COMMAND in .*\.env is not used: /),
    ]);
  });

  it("says when others can read one, and when there is none", async () => {
    await writeFile(join(cwd, ".env"), "A=1\n", { mode: 0o644 });
    const { remarks } = await readEnvironment({}, cwd, undefined);
    expect(remarks).toEqual([expect.stringContaining("chmod 600")]);
    await mkdir(join(cwd, "empty"));
    expect(await readEnvironment({}, join(cwd, "empty"), undefined)).toEqual({
      env: {},
      remarks: [],
    });
    await expect(readEnvironment({}, cwd, join(cwd, "none"))).rejects.toThrow("ENOENT");
  });
});

const SETTING = "PLASM_MCP_STRUCTURED_CONTENT";

describe(`${SETTING}`, () => {
  it.each([
    [undefined, false],
    ["", false],
    ["off", false],
    ["on", true],
  ])("%j is %j", (text, is) => {
    expect(switchIn({ [SETTING]: text }, SETTING)).toBe(is);
  });

  it("anything else does not start", () => {
    expect(() => switchIn({ [SETTING]: "yes" }, SETTING)).toThrow(HostStartError);
  });
});
