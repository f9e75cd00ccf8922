import { BootError } from "./boot-error.mjs";
import { capture, tail } from "./capture.mjs";
import { root } from "./versions.mjs";

const command = [
  "pnpm",
  "install",
  "--frozen-lockfile",
  "--prod=false",
  "--reporter=append-only",
  "--config.confirmModulesPurge=false",
];

/** Brings node_modules to what the lockfile says, of all packages or of `chosen`, or throws: pnpm's own check before a run only warns. */
export const install = async (env, chosen = []) => {
  const { code, stdout, stderr } = await capture([...command, ...chosen], {
    cwd: root,
    env,
    note: "installing dependencies (30 s to 2 min the first time)",
    shell: process.platform === "win32",
  });
  if (code === 0) return;
  throw new BootError(
    `The dependencies could not be installed (pnpm ended with code ${code}).`,
    [
      ...tail(`${stdout}\n${stderr}`),
      "Nothing was started. Check the network and the registry, then run the same command again.",
    ],
    code,
  );
};
