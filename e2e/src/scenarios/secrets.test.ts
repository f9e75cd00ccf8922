import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { AgentFailure } from "../harness/agent-failure.ts";
import { commandLineTalk } from "../harness/command-line-talk.ts";
import { httpAgent } from "../harness/http-agent.ts";
import { connectStdio } from "../harness/mcp-connect.ts";
import { runProcess } from "../harness/run-process.ts";
import { plasmCommand } from "../harness/plasm-command.ts";
import { connect, type Surface, SURFACES } from "../harness/surfaces.ts";
import { taughtSymbols, withSymbols } from "../harness/taught-symbols.ts";
import { SECRETS, startVault, type Vault } from "../servers/vault/use-vault.ts";
import { VAULT_NAMES } from "../servers/vault/vault-catalogs.ts";

let vault: Vault;
/** what servers of their own wrote to stderr */
let stdioSaid = "";
beforeAll(async () => {
  vault = await startVault();
});
afterAll(() => vault.close());

const heard = (text: string): void => {
  stdioSaid += text;
};

function connected(surface: Surface): Promise<AgentClient> {
  switch (surface) {
    case "MCP 2025 over stdio":
      return connectStdio("2025", vault.stdio, heard);
    case "MCP 2026 over stdio":
      return connectStdio("2026", vault.stdio, heard);
    default:
      return connect(surface, vault);
  }
}

const seeds = VAULT_NAMES.map((api) => ({ api, entity: "Item" }));

/** The same of every scheme, all in one run: a failure of one keeps none of the others. */
const ofAll = (step: string): string => {
  const lines = VAULT_NAMES.map((name, i) => `r${i} = e(${name}.Item)${step}`);
  return [...lines, VAULT_NAMES.map((_name, i) => `r${i}`).join(", ")].join("\n");
};

/** Programs that succeed, and programs that fail in every way an API has. */
const PROGRAMS: Readonly<Record<string, string>> = {
  list: ofAll(".page_size(1)"),
  get: ofAll('("plain")'),
  update: ofAll('("plain").update(note="changed")'),
  ...Object.fromEntries(
    ["e401", "e403", "e404", "e500", "e429", "markup", "torn"].map((name) => [
      name,
      ofAll(`("${name}")`),
    ]),
  ),
  "update of e403": ofAll('("e403").update(note="changed")'),
};

/** Text and meta of an answer or of a failure, and pages behind it. */
async function everythingTold(agent: AgentClient, ref: string, program: string): Promise<string> {
  try {
    const run = await agent.run(ref, program, { force: true });
    const pages: string[] = [];
    for (const { next_page_handle: handle } of run.meta.paging) {
      pages.push(await everythingTold(agent, ref, `page(${handle})`));
    }
    return [run.text, JSON.stringify([run.meta, run.results]), ...pages].join("\n");
  } catch (thrown) {
    if (!(thrown instanceof AgentFailure)) throw thrown;
    return [thrown.message, JSON.stringify([thrown.problem, thrown.meta])].join("\n");
  }
}

describe("SURF-27 RUN-142: no secret of any scheme stands in any answer", () => {
  test.each(SURFACES)("%s", async (surface) => {
    const agent = await connected(surface);
    const opened = await agent.context({
      intent: `${surface}: secrets`,
      seeds,
      notation: "symbols",
    });
    const ref = opened.meta.logical_session_ref;
    const symbols = taughtSymbols(opened.text);
    expect(vault.search("tables", opened.text + JSON.stringify(opened.meta))).toEqual([]);
    const all = new Map<string, string>();
    for (const [name, program] of Object.entries(PROGRAMS)) {
      const told = await everythingTold(agent, ref, withSymbols(program, symbols));
      all.set(name, told);
      expect(vault.search(`${surface}: ${name}`, told)).toEqual([]);
      expect(told, name).not.toContain("auth_missing");
    }
    // The API did repeat them, in rows and in errors: they were taken out.
    for (const name of ["list", "get", "update", "e403"]) {
      expect(all.get(name), name).toContain("[redacted]");
    }
    await agent.close();
  });

  test("the command line, and what the doctor says", async () => {
    const talk = await commandLineTalk(vault.url, {
      intent: "command line: secrets",
      seeds,
      notation: "symbols",
    });
    const symbols = taughtSymbols(talk.taught);
    for (const name of ["get", "e403"]) {
      const { text } = await talk.run(withSymbols(PROGRAMS[name] ?? "", symbols), {
        force: true,
      });
      expect(text).toContain("[redacted]");
      expect(vault.search(`command line: ${name}`, text)).toEqual([]);
    }
    await talk.close();
    const { env, dataDir } = vault.stdio;
    const listed = await runProcess(plasmCommand(["auth", "list", "--data", dataDir], env));
    expect(listed.stdout).toContain("vault_bearer · all callers");
    expect(vault.search("plasm auth list", listed.stdout + listed.stderr)).toEqual([]);
  });

  test("the search finds what the API itself answers", async () => {
    const headers = { authorization: `Bearer ${SECRETS.bearer}` };
    const raw = await (await fetch(`${vault.api.url}/items/plain`, { headers })).text();
    const writings = vault.search("raw", raw).map(({ writing }) => writing);
    expect(writings).toEqual(expect.arrayContaining(["raw", "base64 at 0"]));
  });

  test("registry and registry entries", async () => {
    for (const path of ["/v1/registry", ...VAULT_NAMES.map((name) => `/v1/registry/${name}`)]) {
      const text = await (await fetch(vault.url + path)).text();
      expect(vault.search(path, text)).toEqual([]);
      expect(text).not.toContain('"credentials":false');
    }
  });
});

describe("nor in anything that is kept or written", () => {
  test("every scheme was used, tokens exchanged and refreshed", () => {
    const grants = vault.api.tokenForms.map((form) => form.get("grant_type"));
    expect(new Set(grants)).toEqual(new Set(["client_credentials", "refresh_token"]));
    expect(vault.api.arrived.length).toBeGreaterThan(VAULT_NAMES.length * 20);
  });

  test("logs at debug, over HTTP and stdio", () => {
    expect(vault.search("log", vault.server.said())).toEqual([]);
    expect(vault.search("log of stdio", stdioSaid)).toEqual([]);
  });

  test("snapshots, cursors, effects, the database itself, recordings, the audit", async () => {
    expect(await vault.searchFiles()).toEqual([]);
  });
});

describe("MAP-012 RUN-021: values in paths reach the server as data", () => {
  const VALUES = [
    "a/b",
    "../../etc/passwd",
    "a/../b",
    "x?admin=1",
    "x#fragment",
    "%2f",
    "100%",
    "a%2e%2e",
    "blank and +plus",
    "späť 🚢 日本",
    "https://evil.example/steal",
    "//evil.example/steal",
    "\\\\evil\\share",
    "a;b=c&d=e",
    "...",
  ];

  test.each(VALUES)("%s", async (value) => {
    const agent = httpAgent(vault.url);
    const intent = "values in paths";
    const { meta } = await agent.context({
      intent,
      seeds: [{ api: "vault_header", entity: "Item" }],
    });
    const before = vault.api.arrived.length;
    const run = await agent.run(meta.logical_session_ref, `Item(${JSON.stringify(value)})[id]`);
    const [arrived] = vault.api.arrived.slice(before);
    const parts = arrived?.target.split("/") ?? [];
    expect(parts).toHaveLength(3);
    expect(decodeURIComponent(parts[2] ?? "")).toBe(value);
    expect(run.results[0]?.rows).toEqual([{ id: value }]);
  });

  test.each([".", ".."])(
    "%s, which no path can carry, is refused before any request",
    async (value) => {
      const agent = httpAgent(vault.url);
      const seed = { api: "vault_header", entity: "Item" };
      const { meta } = await agent.context({ intent: "values in paths", seeds: [seed] });
      const before = vault.api.arrived.length;
      const run = agent.run(meta.logical_session_ref, `Item(${JSON.stringify(value)})`);
      await expect(run).rejects.toThrow("argument_invalid");
      expect(vault.api.arrived).toHaveLength(before);
    },
  );
});
