import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import axe from "axe-core";
import type { Frame, Page } from "playwright-core";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { watch } from "./watched-page.ts";

const CARDS = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};
/** Markup, a script, and marks that turn text around. */
const HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202egnp.exe";

let [world, client, host, page, wrong]: [ConsoleWorld, Client, Server, Page, readonly string[]] =
  [] as never;

/** The page of a client, bundled, at an address of its own. */
async function startHost(): Promise<Server> {
  const root = join(import.meta.dirname, "card-host");
  const built = (await build({ root, logLevel: "silent", build: { write: false } })) as
    | Rolldown.RolldownOutput
    | Rolldown.RolldownOutput[];
  const files = new Map(
    [built]
      .flat()
      .flatMap(({ output }) =>
        output.map((one) => [`/${one.fileName}`, one.type === "chunk" ? one.code : one.source]),
      ),
  );
  const server = createServer(({ url = "/" }, answer) => {
    const name = url === "/" ? "/index.html" : url;
    const type = name.endsWith(".js") ? "text/javascript" : "text/html";
    answer.writeHead(files.has(name) ? 200 : 404, { "content-type": `${type}; charset=utf-8` });
    answer.end(files.get(name));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

beforeAll(async () => {
  [world, host] = await Promise.all([openConsoleWorld(), startHost()]);
  client = new Client({ name: "test", version: "1" }, { capabilities: CARDS });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`)));
  const at = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const visitor = await world.browser.visitor();
  page = await visitor.newPage();
  wrong = watch(page, at);
  await page.goto(at);
}, 180_000);
afterAll(async () => {
  await client.close();
  await world.close();
  host.close();
});

const call = async (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args });

interface Told {
  readonly plan_commit_ref: string;
  readonly logical_session_ref: string;
}
const toldBy = ({ _meta: meta }: Awaited<ReturnType<typeof call>>): Told =>
  (meta as { readonly plasm: Told }).plasm;

/** Plans a program as an agent does, has it shown, and gives the card. */
async function shown(intent: string, program: string, theme: "light" | "dark" = "light") {
  const opened = await call("plasm_context", {
    intent,
    seeds: [{ api: "quay", entity: "Boat" }],
    notation: "names",
  });
  const { logical_session_ref: ref } = toldBy(opened);
  const planned = await call("plasm", { logical_session_ref: ref, program });
  const args = {
    logical_session_ref: ref,
    plan_commit_ref: toldBy(planned).plan_commit_ref,
  };
  return { args, ...(await showing(args, theme)) };
}

async function showing(args: Record<string, unknown>, theme: "light" | "dark") {
  const result = await call("plasm_show", args);
  const { contents } = await client.readResource({ uri: "ui://plasm/plan.html" });
  const [{ text: html } = { text: "" }] = contents as { text: string }[];
  await page.evaluate(([a, b, c, d]) => window.cardHost.show(a, b, c, d), [
    html,
    args,
    result,
    theme,
  ] as const);
  const handle = await page.waitForSelector("iframe");
  const frame = (await handle.contentFrame()) as Frame;
  return { frame, result };
}

describe("SURF-45 the card of a plan, in Debian's Chromium, by the bridge of MCP Apps", () => {
  it("shows each effect with values before and after as the API has them, and changes nothing", async () => {
    const { frame, result } = await shown("paint a boat", 'Boat("b1").update(note="to paint")');
    expect(result.isError).not.toBe(true);
    await frame.waitForSelector("text=What it changes");
    const rows = await frame.locator("table tr").allTextContents();
    const [change = ""] = rows.filter((row) => row.includes("note"));
    expect(change).toContain('"to paint"');
    expect(change).toMatch(/b1/);
    expect(await frame.locator("pre").textContent()).toBe('Boat("b1").update(note="to paint")');
    const { body } = await world.run('Boat("b1")[note]');
    expect(JSON.stringify(body)).not.toContain("to paint");
  });

  it("lets its person speak, and nothing runs by that", async () => {
    const { frame, args } = await shown("sell a boat", 'Boat("b2").delete()');
    await frame.click("text=Say: run it");
    await frame.waitForSelector("text=You said: Run the plan");
    expect(await page.evaluate(() => window.cardHost.said)).toEqual([
      `Run the plan ${String(args["plan_commit_ref"])}.`,
    ]);
    // Policy asks an operator, whatever was said at a card.
    const ran = await call("plasm_run", { ...args, force: true });
    expect(JSON.stringify(ran.content)).toContain("operator");
    const { status } = await world.run('Boat("b2")[id]');
    expect(status).toBe(200);
  });

  it("texts of programs and APIs are texts", async () => {
    const { frame } = await shown("note it", `Boat("b3").update(note=${JSON.stringify(HOSTILE)})`);
    await frame.waitForSelector("text=What it changes");
    expect(await frame.locator("main img, main script").count()).toBe(0);
    const text = await frame.locator("main").innerText();
    expect(text).toContain("<img src=x");
    expect(text).toContain("⟨U+202E⟩");
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B-\u200F]/);
    expect(wrong).toEqual([]);
  });

  it("what cannot be shown is told in words", async () => {
    const { args } = await shown("show it", 'Boat("b1").update(note="x")');
    const { frame } = await showing({ ...args, plan_commit_ref: "pc99" }, "light");
    await frame.waitForSelector("text=pc99");
    expect(await frame.locator("button").count()).toBe(0);
  });

  it.each(["light", "dark"] as const)("can be read by everybody, %s", async (theme) => {
    const { frame } = await shown(`read ${theme}`, 'Boat("b1").update(note="x")', theme);
    await frame.waitForSelector("text=What it changes");
    expect(await frame.locator("html").getAttribute("data-theme")).toBe(theme);
    await frame.evaluate(`${axe.source}; undefined`);
    const { violations } = await frame.evaluate<axe.AxeResults>("axe.run(document)");
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(wrong).toEqual([]);
  });
});
