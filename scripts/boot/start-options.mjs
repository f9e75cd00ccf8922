import { createServer } from "node:net";
import { BootError } from "./boot-error.mjs";

/** What the options of `npm start` that name a port listen on when they are not given; `--port` finds another one by itself. */
const PORTS = { port: null, "quay-port": 4801, "yard-port": 4802 };
const OPTIONS = [...Object.keys(PORTS), "data", "catalogs", "api", "mcp"];

/** What `npm start -- --help` prints, before anything is installed. */
export const START_HELP = `npm start -- [options]: installs what a server needs, builds it, and runs \`plasm try\`.

  --port N           port to listen on; 0 lets the system choose (default: 3000, if it is free)
  --data DIR         where sessions, results, samples and the log are kept (default: .data of this clone)
  --catalogs DIR     catalogs beside those in catalogs/ of this clone; repeatable
  --api FILE-or-URL  an API of yours, by its OpenAPI document or GraphQL schema, in place of the sample APIs
  --mcp SERVER       the tools of an MCP server, by its command or address, in place of the sample APIs
  --quay-port N      port of the sample harbour (default: 4801); --yard-port N, of the yard (4802)
  --no-open          name the console, and open no browser

It needs some 700 MB of disk. Once it is built, \`plasm try --help\` has every option.`;

/**
 * Refuses `npm start --port 4100`: npm keeps what does not stand after `--`, and the server would start as if
 * nothing had been said. Throws BootError.
 */
export const refuseSwallowed = (env) => {
  const kept = OPTIONS.find((name) => env[`npm_config_${name.replaceAll("-", "_")}`] !== undefined);
  if (kept === undefined) return;
  throw new BootError(`npm took --${kept} for itself.`, [
    `What is the server's stands after --, as in: npm start -- --${kept} VALUE`,
  ]);
};

/** The last value of an option, as `--name value` or `--name=value`. */
const valueOf = (args, name) =>
  args.reduce((found, word, index) => {
    if (word.startsWith(`--${name}=`)) return word.slice(name.length + 3);
    return args[index - 1] === `--${name}` ? word : found;
  }, undefined);

const isTaken = (host, port) =>
  new Promise((settle) => {
    const probe = createServer();
    probe.once("error", ({ code }) => settle(code === "EADDRINUSE"));
    probe.listen(port, host, () => probe.close(() => settle(false)));
  });

/** Refuses ports that other programs hold while nothing has been installed yet. Throws BootError. */
export const refuseTakenPorts = async (args) => {
  const samples = !args.some((word) => /^--(api|mcp)(=|$)/.test(word));
  for (const [name, usual] of Object.entries(PORTS)) {
    if (name !== "port" && !samples) continue;
    const host = name === "port" ? (valueOf(args, "host") ?? "127.0.0.1") : "127.0.0.1";
    const port = Number(valueOf(args, name) ?? usual ?? 0);
    // What is no port is told by the program itself.
    if (!Number.isInteger(port) || port <= 0 || port > 65_535) continue;
    if (await isTaken(host, port))
      throw new BootError(`Port ${port} is taken, perhaps by another npm start.`, [
        `End the program that holds it, or choose another one: npm start -- --${name} N`,
      ]);
  }
};
