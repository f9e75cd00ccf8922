/**
 * From a clone that was built to the first row of an API behind a sign-in: `first-row.ts CLONE`. The clone's own program is started as an
 * agent's host starts it, over stdio; the client is the SDK's, and leads its user to pages; the API and its provider are real servers of
 * this machine. Says what came of it as JSON on the last line of stdout, and fails where the first call did not get its row.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { OAUTH_CLIENT, startOAuthServer } from "@plasm/testkit/servers";

const [clone = ""] = process.argv.slice(2);
const directory = await mkdtemp(join(tmpdir(), "plasm-first-row-"));
const oauth = await startOAuthServer();

/** Presses the button of the page and consents, as the person at the browser. */
async function consent(link: string): Promise<void> {
  const begun = await fetch(link, {
    method: "POST",
    body: new URLSearchParams(),
    redirect: "manual",
  });
  const back = await oauth.visit(begun.headers.get("location") ?? "", { name: "ann" });
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await fetch(back, { headers: { cookie } });
  if (page.status !== 200) throw new Error(await page.text());
}

async function catalog(): Promise<string> {
  const place = join(directory, "catalogs", "quay");
  await cp(join(clone, "packages/testkit/catalogs/quay"), place, { recursive: true });
  const path = join(place, "domain.yaml");
  const auth = "scheme: oauth_bearer, env: QUAY_TOKEN";
  const text = (await readFile(path, "utf8")).replace("scheme: none", auth);
  await writeFile(path, `${text}\noauth: { provider: harbour-id, scopes: { boats.read: {} } }\n`);
  return place;
}

try {
  const options = ["--data", join(directory, "data"), "--catalogs", await catalog()];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(clone, "apps/cli/dist/plasm.mjs"), "serve", "--stdio", ...options],
    env: {
      PATH: process.env["PATH"] ?? "",
      PLASM_SECRETS_KEY_FILE: join(directory, "key"),
      PLASM_OAUTH_HARBOUR_ID_ISSUER: oauth.url,
      PLASM_OAUTH_HARBOUR_ID_CLIENT_ID: OAUTH_CLIENT,
      PLASM_BACKEND_QUAY: oauth.url,
    },
  });
  const client = new Client(
    { name: "first-row", version: "1" },
    {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  let consents = 0;
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    if (params.mode !== "url") throw new Error("a page is asked for, and nothing else");
    consents += 1;
    await consent(params.url);
    return { action: "accept" };
  });
  const began = performance.now();
  await client.connect(transport);
  const seeds = [{ api: "quay", entity: "Boat" }];
  await client.callTool({ name: "plasm_context", arguments: { intent: "look", seeds } });
  const { pid } = transport;
  const { content, isError = false } = await client.callTool({
    name: "plasm_run",
    arguments: { logical_session_ref: "s0", program: "Boat.limit(1)" },
  });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  const ms = Math.round(performance.now() - began);
  const people = oauth.calls.map(({ person }) => person);
  const restarts = transport.pid === pid ? 0 : 1;
  await client.close();
  const holds =
    !isError &&
    text.includes("\nc1\t") &&
    consents === 1 &&
    restarts === 0 &&
    people.join() === "ann";
  console.log(JSON.stringify({ holds, consents, restarts, people, ms, text }));
  process.exitCode = holds ? 0 : 1;
} finally {
  await oauth.close();
  await rm(directory, { recursive: true, force: true });
}
