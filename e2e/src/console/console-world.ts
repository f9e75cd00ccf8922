import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { openBrowser, type OpenedBrowser } from "../harness/open-browser.ts";
import { plasmCommand, plasmServe } from "../harness/plasm-command.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Every change of boats needs an operator. */
const POLICY = { default: { apis: { quay: { approval: { operator: ["all"] } }, yard: {} } } };

/** `plasm serve` on a terminal of its own, as a person starts it, on the sample APIs; and a browser. */
export interface ConsoleWorld {
  readonly url: string;
  readonly browser: OpenedBrowser;
  /** key of an operator who is no console */
  readonly operatorKey: string;
  /** the link that the terminal shows last */
  link(): string;
  /** Sends a program as the agent that everybody is here. */
  run(
    program: string,
    more?: object,
    mode?: "plan" | "explain",
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** Keeps a plan of that agent by name. */
  save(name: string, planCommitRef: string): Promise<void>;
  /** Sends a program whose plan waits for an operator; gives its uuid. */
  ask(program: string): Promise<string>;
  /** Calls the API with the operator's key. */
  operator(path: string, method?: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const LINK = /(http:\/\/127\.0\.0\.1:\d+)\/console\/#sign-in=[\w-]+/g;
const START_MS = 120_000;

/** What is on a terminal, once it matches. */
function shown(child: ChildProcess): { text(): string; until(what: RegExp): Promise<string> } {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (more: string) => (text += more));
  return {
    text: () => text,
    until: async (what) => {
      const end = performance.now() + START_MS;
      while (performance.now() < end) {
        const found = what.exec(text)?.[0];
        if (found !== undefined) return found;
        if (child.exitCode !== null) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`The terminal has not shown ${what}:\n${text}`);
    },
  };
}

async function startServer(home: string, apis: Awaited<ReturnType<typeof startSampleApis>>) {
  const dataDir = join(home, "data");
  const policy = join(home, "policy.json");
  await writeFile(policy, JSON.stringify(POLICY));
  const env = { PLASM_BACKEND_QUAY: apis.quay.url, PLASM_BACKEND_YARD: apis.yard.url };
  const made = plasmCommand(["keys", "add", "--subject", "olga", "--data", dataDir], {});
  const operatorKey = execFileSync(made.command, made.args, {
    env: made.env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
  const catalogs = [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")];
  const args = ["--policy", policy];
  const served = plasmServe({ dataDir, catalogs, env, args }, ["--port", "0"]);
  const line = `exec ${[served.command, ...served.args].map(quoted).join(" ")}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    env: { ...served.env, SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  return { child, operatorKey };
}

type Answer = Awaited<ReturnType<ConsoleWorld["run"]>>;

async function sent(url: string, body: object): Promise<Answer & { readonly location: string }> {
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const location = answer.headers.get("location") ?? "";
  return {
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
    location,
  };
}

export async function openConsoleWorld(): Promise<ConsoleWorld> {
  const home = await mkdtemp(join(tmpdir(), "plasm-console-"));
  const apis = await startSampleApis({ dataDir: join(home, "apis"), ports: { quay: 0, yard: 0 } });
  const [{ child, operatorKey }, browser] = await Promise.all([
    startServer(home, apis),
    openBrowser(),
  ]);
  const terminal = shown(child);
  await terminal.until(/Ctrl-C ends it/);
  const link = (): string => terminal.text().match(LINK)?.at(-1) ?? "";
  const [url = ""] = link().split("/console/");
  const seeds = [
    { api: "quay", entity: "Boat" },
    { api: "quay", entity: "Person" },
  ];
  const { location } = await sent(`${url}/execute`, {
    intent: "sell what is not moored",
    seeds,
    notation: "names",
  });
  const run: ConsoleWorld["run"] = (program, more = {}, mode) =>
    sent(`${url}${location}${mode === undefined ? "" : `?mode=${mode}`}`, { program, ...more });
  const operator: ConsoleWorld["operator"] = async (path, method = "GET") => {
    const answer = await fetch(`${url}${path}`, { method, headers: { "x-api-key": operatorKey } });
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    url,
    browser,
    operatorKey,
    link,
    run,
    operator,
    save: async (name, planCommitRef) => {
      const body = { session: location, plan_commit_ref: planCommitRef, name };
      const { status, body: told } = await sent(`${url}/v1/programs`, body);
      if (status !== 201) throw new Error(JSON.stringify(told));
    },
    ask: async (program) => {
      const { status, body } = await run(program);
      const waiting = (await operator("/v1/approvals"))["approvals"] as readonly {
        readonly commit_uuid: string;
        readonly program: string;
      }[];
      const found = waiting.find((one) => one.program === program);
      if (found === undefined)
        throw new Error(`${program} does not wait: ${status} ${JSON.stringify(body)}`);
      return found.commit_uuid;
    },
    close: async () => {
      await browser.close();
      const ended = once(child, "exit");
      child.stdin?.write("\u0003");
      await ended;
      await apis.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
