import { createServer } from "node:net";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refuseSwallowed, refuseTakenPorts, START_HELP } from "./start-options.mjs";
import { root } from "./versions.mjs";

test("an option that npm kept is told, with the way to say it", () => {
  const given = () => refuseSwallowed({ npm_config_quay_port: "4100" });
  expect(given).toThrow("npm took --quay-port for itself.");
});

test("what npm has of its own passes", () => {
  expect(() => refuseSwallowed({ npm_config_cache: "/cache" })).not.toThrow();
});

test("help is printed before anything is fetched or installed, and names options that there are", () => {
  const help = spawnSync(process.execPath, [join(root, "scripts/boot.mjs"), "start", "--help"], {
    encoding: "utf8",
    env: { PATH: "" },
  });
  expect([help.status, help.stdout, help.stderr]).toEqual([0, `${START_HELP}\n`, ""]);
  const plasm = join(root, "apps/cli/dist/plasm.mjs");
  const { stdout } = spawnSync(process.execPath, [plasm, "try", "--help"], { encoding: "utf8" });
  const named = [...START_HELP.matchAll(/--([a-z-]{3,})/g)].map(([option]) => option);
  expect(named.length).toBeGreaterThan(6);
  for (const option of named.filter((one) => one !== "--help"))
    expect(stdout).toContain(`${option} `.replace(/ $/, ""));
});

test("a port that another program holds is told, whichever way it is named", async () => {
  const other = createServer();
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address();
  try {
    const free = ["--quay-port=0", "--yard-port=0"];
    for (const words of [
      [`--port=${port}`, ...free],
      ["--port", `${port}`, ...free],
      ["--quay-port=0", "--yard-port", `${port}`],
    ])
      await expect(refuseTakenPorts(words)).rejects.toThrow(`Port ${port} is taken`);
    // Without sample APIs their ports are nobody's matter; what is no port is told by the program.
    await refuseTakenPorts([`--quay-port=${port}`, "--api", "document.json"]);
    await refuseTakenPorts(["--port=x", ...free]);
  } finally {
    other.close();
  }
});
