#!/usr/bin/env node
/**
 * From nothing to running: `npm start` and `npm test` on a machine that has only Node >= 18 and npm.
 * Fetches the Node and pnpm this repository asks for, installs, builds, and runs one whitelisted task.
 * Uses nothing but Node's own modules, since nothing is installed yet.
 */
import { BootError } from "./boot/boot-error.mjs";
import { install } from "./boot/install.mjs";
import { forward } from "./boot/forward.mjs";
import { refuseSwallowed, refuseTakenPorts, START_HELP } from "./boot/start-options.mjs";
import { tasks } from "./boot/tasks.mjs";
import { toolchain } from "./boot/toolchain.mjs";
import { root } from "./boot/versions.mjs";

const main = async ([name, ...args]) => {
  const task = Object.hasOwn(tasks, name ?? "") ? tasks[name] : undefined;
  if (task === undefined) {
    throw new BootError(`Unknown task ${JSON.stringify(name ?? "")}.`, [
      `Use one of: ${Object.keys(tasks).join(", ")}.`,
    ]);
  }
  if (name === "start") {
    if (args.some((one) => one === "--help" || one === "-h")) {
      console.log(START_HELP);
      return 0;
    }
    refuseSwallowed(process.env);
    await refuseTakenPorts(args);
  }
  const env = await toolchain();
  if (task.printPath) {
    console.log(env.PATH);
    return 0;
  }
  await install(env, task.install);
  for (const step of task.before) {
    const code = await forward(step, env, root);
    if (code !== 0) {
      throw new BootError(`\`${step.join(" ")}\` failed.`, ["See its output above."], code);
    }
  }
  return forward([...task.run, ...args], { ...env, ...task.env }, task.cwd ?? root);
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BootError)) throw error;
  console.error(error.report());
  process.exitCode = error.exitCode;
}
