import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OAUTH_CLIENT, startOAuthServer } from "@plasm/testkit/servers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";
import {
  cleanUp,
  COMPILE_CACHE,
  fixture,
  plasmCommand,
  temporaryDirectory,
} from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

const modes = { legacy: "legacy", modern: { pin: "2026-07-28" } } as const;
type Era = keyof typeof modes;

/** A real client of `plasm serve --stdio`, as an MCP host starts it. */
async function connect(
  era: Era,
  data: string,
  {
    catalogs = fixture("quay"),
    env = {},
    user,
  }: {
    readonly catalogs?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly user?: (url: string) => Promise<void>;
  } = {},
) {
  const { command, args } = plasmCommand;
  const serve = ["serve", "--stdio", "--data", data, "--catalogs", catalogs];
  const transport = new StdioClientTransport({
    command,
    args: [...args, ...serve],
    env: {
      PATH: process.env["PATH"] ?? "",
      PLASM_LOG: "warn",
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
    stderr: "pipe",
  });
  const errors: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: modes[era] },
      capabilities: user === undefined ? {} : { elicitation: { url: {} } },
    },
  );
  if (user !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (params.mode !== "url") throw new Error("A page is asked for, and nothing else");
      await user(params.url);
      return { action: "accept" };
    });
  client.onerror = (error) => errors.push(error.message);
  await client.connect(transport);
  return { client, errors };
}

type Result = Awaited<ReturnType<Client["callTool"]>>;

function textOf(result: Result): string {
  const [first] = result.content;
  return first?.type === "text" ? first.text : "";
}

const seeds = [{ api: "quay", entity: "Boat" }];
const open = { name: "plasm_context", arguments: { intent: "spring", seeds } };
const plan = {
  name: "plasm",
  arguments: { logical_session_ref: "s0", program: "Boat{state=moored}.limit(3)" },
};

describe.each(["legacy", "modern"] as const)("plasm serve --stdio, %s era (SURF-1, G10)", (era) => {
  it("opens a session, plans in it, and reads its table; it is one connection (SESS-19)", async () => {
    const { client, errors } = await connect(era, await temporaryDirectory());
    const opened = await client.callTool(open);
    expect(textOf(opened)).toMatch(/^logical_session_ref s0\n/);
    const planned = await client.callTool(plan);
    expect(textOf(planned)).toContain("pc0");
    const { contents } = await client.readResource({ uri: "plasm://session/s0/table" });
    expect(contents).toHaveLength(1);
    expect(textOf(await client.callTool(open))).toBe("s0 unchanged: Boat. Names stand.");
    await client.close();
    expect(errors).toEqual([]);
  });

  it("goes on in a new process with the ref it had (SESS-4, SESS-35)", async () => {
    const data = await temporaryDirectory();
    const before = await connect(era, data);
    await before.client.callTool(open);
    await before.client.close();
    const after = await connect(era, data);
    const planned = await after.client.callTool(plan);
    expect(planned.isError).toBeUndefined();
    const again = textOf(await after.client.callTool(open));
    expect(again).toContain("This connection has not seen the tables");
    await after.client.close();
  });
});

describe.each(["legacy", "modern"] as const)("signing in over stdio, %s era (RUN-128)", (era) => {
  /** A catalog of boats that people sign in to, and what is set for it. */
  async function guarded() {
    const oauth = await startOAuthServer();
    const directory = await temporaryDirectory();
    const catalogs = join(directory, "quay");
    await cp(fixture("quay"), catalogs, { recursive: true });
    const path = join(catalogs, "domain.yaml");
    const text = (await readFile(path, "utf8")).replace(
      "scheme: none",
      "scheme: oauth_bearer, env: QUAY_TOKEN",
    );
    await writeFile(path, `${text}\noauth: { provider: harbour-id, scopes: { boats.read: {} } }\n`);
    const env = {
      PLASM_SECRETS_KEY_FILE: join(directory, "key"),
      PLASM_OAUTH_HARBOUR_ID_ISSUER: oauth.url,
      PLASM_OAUTH_HARBOUR_ID_CLIENT_ID: OAUTH_CLIENT,
      PLASM_BACKEND_QUAY: oauth.url,
    };
    /** What a person does in the browser: presses the button, and consents. */
    const signIn = async (link: string): Promise<void> => {
      expect((await fetch(link)).status).toBe(200);
      const begun = await fetch(link, {
        method: "POST",
        body: new URLSearchParams(),
        redirect: "manual",
      });
      const back = await oauth.visit(begun.headers.get("location") ?? "", { name: "ann" });
      const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
      expect((await fetch(back, { headers: { cookie } })).status).toBe(200);
    };
    return { oauth, env, catalogs, signIn };
  }
  const first = { logical_session_ref: "s0", program: "Boat.limit(1)" };

  it("the first call gives a link on this machine; after consent the ref has its row, in the same process", async () => {
    const { oauth, signIn, ...served } = await guarded();
    const { client, errors } = await connect(era, await temporaryDirectory(), served);
    await client.callTool(open);
    const asked = textOf(await client.callTool({ name: "plasm_run", arguments: first }));
    const [link = ""] = /http:\/\/127\.0\.0\.1:\d+\/v1\/connect\/\S+/.exec(asked) ?? [];
    expect(asked).toContain("(or, in a terminal, run plasm auth login quay --catalogs DIRECTORY");
    // Nothing else is there, and no name of another leads there.
    const { origin } = new URL(link);
    expect((await fetch(new URL("/v1/health", origin))).status).toBe(404);
    expect((await fetch(link, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    await signIn(link);
    const ref = { logical_session_ref: "s0", plan_commit_ref: /pc\d+/.exec(asked)?.[0] ?? "" };
    expect(textOf(await client.callTool({ name: "plasm_run", arguments: ref }))).toContain("c1");
    expect(oauth.calls.map(({ person }) => person)).toEqual(["ann"]);
    await client.close();
    // Its API answers ids alone, which is told as well.
    const told = errors.filter((line) => !line.includes("quay answers otherwise than its catalog"));
    expect(told).toEqual([expect.stringContaining("quay: calls need a credential")]);
    await oauth.close();
  });

  it("a client that leads its user to pages goes on within the first call", async () => {
    const { oauth, signIn, ...served } = await guarded();
    const { client } = await connect(era, await temporaryDirectory(), { ...served, user: signIn });
    await client.callTool(open);
    expect(textOf(await client.callTool({ name: "plasm_run", arguments: first }))).toContain("c1");
    await client.close();
    await oauth.close();
  });
});
