import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { pathWithPlasm } from "../testing/plasm-in-path.ts";
import { runHere } from "../testing/run-here.ts";
import { shellWords } from "../testing/shell-words.ts";
import { cleanUp, fixture, spawnPlasm, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { answerPattern, partsOf } from "../testing/walk.ts";
import { workplaceWithBoats } from "../testing/workplace.ts";
import { writeProfile } from "../workspace/workspace.ts";

/** Where a page is walked through: one directory, and what the page's addresses and ids stand for. */
interface Walk {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** the page's word → the real one */
  readonly real: Map<string, string>;
}

let server: TestServer;
let path: string;
let walk: Walk;
beforeAll(async () => {
  [server, path] = await Promise.all([
    startServer({ catalogs: ["orchard", "depot"].map(fixture) }),
    pathWithPlasm(),
  ]);
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

const servers: ReturnType<typeof spawnPlasm>[] = [];
beforeEach(async () => {
  const cwd = await temporaryDirectory();
  walk = {
    cwd,
    env: { PLASM_DATA: join(cwd, "data") },
    real: new Map([["http://127.0.0.1:4801", server.apis.quay.url]]),
  };
});
afterEach(async () => {
  for (const one of servers.splice(0)) {
    one.stop("SIGTERM");
    await one.ended;
  }
});

const CATALOGS = fileURLToPath(new URL("../../../../catalogs", import.meta.url));

/** What pages write for the id of a key and of a plan that waits. */
const PAGE_ID = "1f0c9a4be27d5310";
const PAGE_UUID = "a77ab7c1-bf42-484f-867b-ecdd5bdbd9b8";

const real = (text: string): string =>
  [...walk.real].reduce((said, [word, instead]) => said.replaceAll(word, instead), text);

/** A server of the page's own: it stays until the walk is over, and its address is the page's. */
async function serve(line: string): Promise<string> {
  await mkdir(walk.env["PLASM_DATA"] ?? "", { recursive: true });
  await writeFile(join(walk.cwd, "data/.env"), `PLASM_BACKEND_QUAY=${server.apis.quay.url}\n`, {
    mode: 0o600,
  });
  const args = [...shellWords(line).slice(1), "--port", "0", "--data", join(walk.cwd, "data")];
  const started = spawnPlasm(args, walk.cwd);
  servers.push(started);
  const said = await started.said("Ctrl-C ends it.");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "no address";
  const [, port = "3000"] = /--port (\d+)/.exec(line) ?? [];
  walk.real.set(`http://127.0.0.1:${port}`, url);
  // Where no page says otherwise, a server is looked for at the address that this one would have.
  await writeProfile(join(walk.cwd, ".plasm"), { server: url });
  return said;
}

/** What a command said on both streams, and its exit code. */
interface Said {
  readonly said: string;
  readonly code: number | null;
}

async function inShell(line: string): Promise<Said> {
  const env = { ...walk.env, PATH: path };
  const child = spawn("sh", ["-ec", line], {
    cwd: walk.cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const said = await Promise.all([text(child.stderr), text(child.stdout)]);
  return { said: said.join(""), code: await ended };
}

/** Files that a line takes in by `$(cat FILE)`, in their place. */
async function withFiles(line: string): Promise<string> {
  let whole = line;
  for (const [call, name = ""] of line.matchAll(/\$\(cat ([\w.-]+)\)/g)) {
    whole = whole.replace(call, (await readFile(join(walk.cwd, name), "utf8")).trim());
  }
  return whole;
}

/** Runs a command. Only what needs a shell has one. */
async function run(written: string): Promise<Said> {
  if (written.startsWith("plasm serve")) return { said: await serve(written), code: 0 };
  const line = await withFiles(written);
  const [, name, value = "", command, file] =
    /^(?:(\w+)="([^"]*)" )?plasm (.*?)(?: > (\S+))?$/.exec(line) ?? [];
  if (command === undefined || /[$`|<\\]/.test(command)) return inShell(written);
  const env = name === undefined ? walk.env : { ...walk.env, [name]: value };
  const { code, stdout, stderr } = await runHere(shellWords(command), { cwd: walk.cwd, env });
  if (file === undefined) return { said: stderr + stdout, code };
  await writeFile(join(walk.cwd, file), stdout);
  return { said: stderr, code };
}

/** The id of a key that was just made, or of a plan that waits, stands for the page's. */
function noteIds(answer: string): void {
  const [, id] = /^Key ([0-9a-f]{16}) of /.exec(answer) ?? [];
  if (id !== undefined) walk.real.set(PAGE_ID, id);
  const [, uuid] = /plasm approvals approve ([0-9a-f-]{36})/.exec(answer) ?? [];
  if (uuid !== undefined) walk.real.set(PAGE_UUID, uuid);
}

/** Progress depends on the machine's pace. */
const settled = (text: string): string => text.replaceAll(/^s\d+_o\d+ [+~=] .*\n/gm, "");

async function walkThrough(name: string, but: RegExp = /^$/): Promise<number> {
  const file = fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
  const parts = partsOf(await readFile(file, "utf8"));
  for (const part of parts) {
    if (but.test(part.kind === "command" ? part.line : part.path)) continue;
    if (part.kind === "file") {
      await mkdir(dirname(join(walk.cwd, part.path)), { recursive: true });
      await writeFile(join(walk.cwd, part.path), real(part.text));
      continue;
    }
    const { said, code } = await run(real(part.line));
    noteIds(said);
    // A page that shows no answer says only that it works.
    const shown = settled(real(part.answer));
    const holds = shown === "" ? code === 0 : answerPattern(shown).test(settled(said));
    expect({ line: part.line, shown, said: settled(said), code, holds }).toMatchObject({
      holds: true,
    });
  }
  return parts.length;
}

it("docs/cli.md: its sessions, after its three steps", async () => {
  const place = await workplaceWithBoats(server.url, "the guide's boats");
  await place.done("run", "--mode", "plan", "-e", "Boat{state=moored}.limit(3)[id, name]");
  walk = { ...walk, cwd: place.cwd };
  // What `validate` says of a fault is shown in catalog.test.ts.
  expect(await walkThrough("cli.md", /^plasm catalog validate/)).toBeGreaterThanOrEqual(3);
});

/** The store of the server that runs, so that its keys are known there. */
const onItsStore = (): void => {
  walk.env["PLASM_DATA"] = server.dataDir;
  walk.real.set("http://127.0.0.1:3000", server.url);
};

it("docs/identity.md: keys, and a policy that an administrator sets", async () => {
  onItsStore();
  const key = ["keys", "add", "--role", "admin", "--subject", "root"];
  const { stdout } = await runHere(key, { cwd: walk.cwd, env: walk.env });
  walk.env["ADMIN_KEY"] = stdout.trim();
  expect(await walkThrough("identity.md")).toBeGreaterThanOrEqual(5);
});

it("docs/operating.md: keys of operators", async () => {
  expect(await walkThrough("operating.md")).toBeGreaterThanOrEqual(3);
});

it("docs/connect.md", { timeout: 60_000 }, async () => {
  expect(await walkThrough("connect.md")).toBeGreaterThanOrEqual(5);
});

it("docs/quickstart-author.md", { timeout: 60_000 }, async () => {
  expect(await walkThrough("quickstart-author.md")).toBeGreaterThanOrEqual(11);
});

it("docs/quickstart-operate.md", { timeout: 60_000 }, async () => {
  await mkdir(join(walk.cwd, "catalogs"));
  await symlink(fixture("quay"), join(walk.cwd, "catalogs/quay"));
  expect(await walkThrough("quickstart-operate.md")).toBeGreaterThanOrEqual(13);
});

it(
  "docs/authoring.md: its commands, on another catalog of that name",
  { timeout: 60_000 },
  async () => {
    await symlink(fixture("quay"), join(walk.cwd, "tools"));
    // Its files are those of e2e/src/scenarios/authoring-guide.test.ts.
    expect(await walkThrough("authoring.md", /^tools\//)).toBeGreaterThanOrEqual(2);
  },
);

/** Guides to a goal, and one to catalogs from elsewhere, each with how many of its steps a reader takes. */
const GUIDES = [
  ["guides/review.md", 10],
  ["guides/slack.md", 8],
  ["guides/identity-provider.md", 6],
  ["guides/read-only.md", 8],
  ["guides/report.md", 8],
  ["guides/limits.md", 7],
  ["guides/recordings.md", 9],
  ["migrating.md", 5],
] as const;

it.each(GUIDES)("docs/%s", { timeout: 60_000 }, async (name, steps) => {
  await mkdir(join(walk.cwd, "catalogs"));
  await symlink(fixture("quay"), join(walk.cwd, "catalogs/quay"));
  await symlink(join(CATALOGS, "slack"), join(walk.cwd, "catalogs/slack"));
  await writeFile(join(walk.cwd, "slack-token.txt"), "xoxb-1\n");
  expect(await walkThrough(name)).toBeGreaterThanOrEqual(steps);
});

it("docs/credentials.md: its envelope is taken", async () => {
  const file = fileURLToPath(new URL("../../../../docs/credentials.md", import.meta.url));
  const [, envelope = ""] = /^```json\n([^]*?)^```$/m.exec(await readFile(file, "utf8")) ?? [];
  const here = { cwd: walk.cwd, env: walk.env };
  const { code } = await runHere(["auth", "set", "quay"], { ...here, input: envelope });
  const { stdout } = await runHere(["auth", "list"], here);
  expect([code, stdout.includes("quay"), stdout.includes("at-1")]).toEqual([0, true, false]);
});
