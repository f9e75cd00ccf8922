import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerWith } from "../testing/answer-with.ts";
import { cleanUp } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplace, workplaceWithBoats, type Workplace } from "../testing/workplace.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

describe("search, context, plan, run (SURF-20)", () => {
  it("leads from a goal to rows", async () => {
    const { done, kept } = await workplace(server.url);
    const found = await done("search", "which boats are moored", "--api", "quay");
    expect(found).toMatch(/^```tsv\napi\tentity\tdescription\n/);
    expect(found).toContain("\nquay\tBoat\ta boat in the harbour's register");
    expect(found).not.toContain("yard\t");

    const table = await done("context", "--new", "Boat");
    expect(table).toMatch(/^logical_session_ref s0\n/);
    expect(table).toContain("quay: Boat");
    expect(await kept("session.json")).toMatchObject({ intent: "which boats are moored" });

    server.apis.forgetRequests();
    const program = "Boat{state=moored}.limit(2)[id, name]";
    const planned = await done("run", "--mode", "plan", "-e", program);
    expect(planned).toMatch(/^plan ok pc0 · /);
    expect(server.apis.requests).toEqual([]);

    const rows = await done("run", "-e", program, "--commit", "pc0");
    expect(rows).toBe("Boat · 2 rows\n```tsv\nid\tname\nb1\tAlma\nb6\t10\n```\n");
    expect(server.apis.requests).toHaveLength(1);
  });

  it("pages on by the handle of an answer", async () => {
    const { done } = await workplaceWithBoats(server.url, "paging");
    const first = await done("run", "-e", "Boat.page_size(2)[id]");
    const [handle] = /s\d+_pg\d+/.exec(first) ?? [];
    const next = await done("run", "-e", `page(${handle})`);
    expect(next).toMatch(/^Boat · rows 3-4\n/);
  });

  it("18.19 search: nothing that a catalog says acts on a terminal, or ends a row", async () => {
    const acting = "a\u001b[2J\u009b1m\u202e\u0007\r\nquay\tFeigned";
    const own = await answerWith((_request, response) => {
      const options = [{ api: acting, entity: acting, description: acting }];
      response.setHeader("content-type", "application/json");
      const others = [{ api: acting, entity: acting }];
      response.end(JSON.stringify({ options, omitted: 1, others }));
    });
    const { done, cwd } = await workplace(own.url);
    const found = await done("search", "boats");
    const file = await readFile(join(cwd, ".plasm", "outputs", "search.txt"), "utf8");
    await own.close();
    for (const text of [found, file]) {
      expect(text.trimEnd().split("\n")).toHaveLength(5);
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });

  it("search: more than fit, and nothing found (TEACH-39)", async () => {
    const { done } = await workplace(server.url);
    expect(await done("search", "which", "boats", "--limit", "1")).toMatch(
      /\n\d+ more: pass --api or a narrower intent\n$/,
    );
    expect(await done("search", "robots, pizza and jazz on mars by boat")).toMatch(
      /^No match\. Catalogs: quay, yard\nNearest by single words: [^\n]*quay: Boat[^\n]*\n$/,
    );
    expect(await done("search", "zzzz")).toBe("No match. Catalogs: quay, yard\n");
  });
});

describe("where a program comes from (SURF-20)", () => {
  let place: Workplace;
  const program = ";; two\nBoat{state=moored}.limit(2)[name]\n";
  const rows = "Boat · 2 rows\n```tsv\nname\nAlma\n10\n```\n";
  beforeAll(async () => {
    place = await workplaceWithBoats(server.url, "sources");
  });

  it("-e, -f, or stdin", async () => {
    await writeFile(join(place.cwd, "p.plasm"), program);
    expect(await place.done("run", "-e", program)).toBe(rows);
    expect(await place.done("run", "-f", "p.plasm")).toBe(rows);
    const piped = await place.plasm(["run"], { input: program });
    expect(piped).toEqual({ code: 0, stdout: rows, stderr: "" });
  });

  it("is sent as it is: bytes that are no text are refused, not replaced", async () => {
    const bad = new Uint8Array([66, 111, 0xff]);
    await writeFile(join(place.cwd, "bad.plasm"), bad);
    const [piped, read] = [
      await place.plasm(["run"], { input: bad }),
      await place.plasm(["run", "-f", "bad.plasm"]),
    ];
    expect([piped.code, piped.stderr]).toEqual([2, "plasm: stdin is not UTF-8 text.\n"]);
    expect([read.code, read.stderr]).toEqual([2, "plasm: bad.plasm is not UTF-8 text.\n"]);
  });
});

describe("formats (SURF-17)", () => {
  it("text, json and ndjson, each the server's", async () => {
    const { done } = await workplaceWithBoats(server.url, "formats");
    const run = (format: string) =>
      done("run", "-e", "Boat{state=moored}.limit(2)[id]", "--format", format);
    expect(await run("text")).toContain("b1\nb6\n");
    const json = JSON.parse(await run("json")) as { readonly results: readonly object[] };
    expect(json.results).toMatchObject([{ name: "Boat", rows: [{ id: "b1" }, { id: "b6" }] }]);
    const lines = (await run("ndjson")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { result: "Boat", row: { id: "b1" } },
      { result: "Boat", row: { id: "b6" } },
      { _meta: { plasm: { dry_run: false } } },
    ]);
  });
});
