import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./versions.mjs";

const boot = join(root, "scripts/boot.mjs");
const forwarding = (...command) =>
  `import { forward } from ${JSON.stringify(join(root, "scripts/boot/forward.mjs"))};
   process.exitCode = await forward(${JSON.stringify(command)}, process.env);`;

const runModule = (source) =>
  spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "pipe"],
  });

const ended = (child) => new Promise((resolve) => child.on("close", (code) => resolve(code)));

const said = (child, word) =>
  new Promise((resolve) => {
    child.stdout.on("data", (text) => String(text).includes(word) && resolve());
  });

test.each(["", "rm -rf /", "constructor", "__proto__"])("task %j is refused by name", (task) => {
  const { status, stderr } = spawnSync(process.execPath, [boot, task], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toContain(`Unknown task ${JSON.stringify(task)}`);
  expect(stderr).toContain("Use one of: start, test");
});

test("without npx it fails with one message and no stack", () => {
  const empty = mkdtempSync(join(tmpdir(), "plasm-boot-"));
  try {
    const env = { PATH: empty };
    const { status, stderr } = spawnSync(process.execPath, [boot, "test"], {
      encoding: "utf8",
      env,
    });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/plasm: Could not fetch .*pnpm@12\.21\.0 with npx\./);
    expect(stderr).toContain("run the same command again");
    expect(stderr).not.toContain("    at ");
  } finally {
    rmSync(empty, { recursive: true });
  }
});

test("arguments reach the program as they were typed", async () => {
  const odd = ["a b", "$(exit 3)", "`exit 4`", "; exit 5", '"', "'", "--port"];
  const print = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
  const child = runModule(forwarding(process.execPath, "-e", print, "--", ...odd));
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  expect(await ended(child)).toBe(0);
  expect(JSON.parse(output)).toEqual(odd);
});

test("the exit code is the program's own", async () => {
  expect(await ended(runModule(forwarding(process.execPath, "-e", "process.exit(7)")))).toBe(7);
  const killed = "process.kill(process.pid, 'SIGKILL')";
  expect(await ended(runModule(forwarding(process.execPath, "-e", killed)))).toBe(137);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"])(
  "%s reaches the program, which ends in its own way",
  async (signal) => {
    const program = `
    process.on(${JSON.stringify(signal)}, () => { console.log("got it"); process.exit(0); });
    console.log("ready");
    setTimeout(() => process.exit(9), 20_000);`;
    const child = runModule(forwarding(process.execPath, "-e", program));
    await said(child, "ready");
    const heard = said(child, "got it");
    child.kill(signal);
    await heard;
    expect(await ended(child)).toBe(0);
  },
);

test("a build that was told to end has not succeeded, though its program leaves with 0", async () => {
  const program = `
    process.on("SIGTERM", () => process.exit(0));
    process.stderr.write("ready");
    setTimeout(() => process.exit(9), 20_000);`;
  const capturing = `import { capture } from ${JSON.stringify(join(root, "scripts/boot/capture.mjs"))};
    setTimeout(() => process.kill(process.pid, "SIGTERM"), 1_000);
    const { code } = await capture([process.execPath, "-e", ${JSON.stringify(program)}], {});
    process.exitCode = code;`;
  expect(await ended(runModule(capturing))).toBe(143);
});
