import { BootError } from "./boot-error.mjs";

const OPTIONS = ["port", "data", "catalogs", "quay-port", "yard-port"];

/**
 * Refuses `npm start --port 4100`: npm keeps what does not stand after `--`, and the server would start as if
 * nothing had been said. Throws BootError.
 */
export const refuseSwallowed = (task, env) => {
  if (task !== "start") return;
  const kept = OPTIONS.find((name) => env[`npm_config_${name.replaceAll("-", "_")}`] !== undefined);
  if (kept === undefined) return;
  throw new BootError(`npm took --${kept} for itself.`, [
    `What is the server's stands after --, as in: npm start -- --${kept} VALUE`,
  ]);
};
