import { BootError } from "./boot-error.mjs";
import { capture, tail } from "./capture.mjs";
import { fitsEngines, nodeVersion, pnpmVersion, root } from "./versions.mjs";

/**
 * The environment in which `node` and `pnpm` are the ones this repository asks for. npx keeps both in
 * npm's own cache, so nothing is installed globally; the Node at hand is used when it is new enough.
 */
export const toolchain = async () => {
  const wanted = [
    ...(fitsEngines(process.version) ? [] : [`node@${nodeVersion}`]),
    `pnpm@${pnpmVersion}`,
  ];
  const { code, stdout, stderr } = await capture(npx(wanted), {
    cwd: root,
    env: process.env,
    note: `${wanted.join(" and ")} from npm (fetched once)`,
    shell: process.platform === "win32",
  });
  if (code !== 0) {
    throw new BootError(
      `Could not fetch ${wanted.join(" and ")} with npx.`,
      [
        ...tail(stderr),
        "Check the network and `npm config get registry`, then run the same command again.",
      ],
      code,
    );
  }
  const [version, path] = JSON.parse(stdout.trim().split("\n").at(-1));
  if (!fitsEngines(version)) {
    throw new BootError(`npx brought Node ${version}, but Node ${nodeVersion} is needed.`, [
      "If npm is told to skip install scripts (ignore-scripts), undo that, or install Node 24.",
    ]);
  }
  return { ...withoutNpm(process.env), PATH: path, TURBO_TELEMETRY_DISABLED: "1" };
};

const npx = (packages) => [
  "npx",
  "-y",
  "--prefer-offline",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=5000",
  ...packages.flatMap((name) => ["-p", name]),
  "-c",
  'node -p "JSON.stringify([process.version,process.env.PATH])"',
];

/** npm's settings and package fields must not reach pnpm, which would read them as its own. */
const withoutNpm = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^npm_/i.test(name) && !/^path$/i.test(name)),
  );
