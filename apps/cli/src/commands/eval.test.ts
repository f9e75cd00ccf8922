import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EvalReport } from "@plasm/eval";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";

/** What comes with the program lies beside it. */
const BUILT = fileURLToPath(new URL("../../dist/plasm.mjs", import.meta.url));
const [, begun = ""] = process.argv;
beforeAll(() => void (process.argv[1] = BUILT));
afterAll(() => void (process.argv[1] = begun));
afterEach(cleanUp);

const runPlasm: typeof runHere = (args, { env, ...here }) =>
  runHere(args, { ...here, env: { ...process.env, ...env } });

/** Answers by the task in the prompt, as a list says: the first program, then the one after a correction. */
const SCRIPTED = `
let prompt = "";
for await (const chunk of process.stdin) prompt += chunk;
const answers = JSON.parse(await (await import("node:fs/promises")).readFile("answers.json", "utf8"));
const [, goal] = /^Task: (.*)$/m.exec(prompt) ?? [];
const turn = prompt.split("--- assistant ---").length - 1;
const by = prompt.includes("by calling these tools") ? "tools: " : "";
const said = answers[by + goal]?.[turn];
if (said === undefined) {
  console.error("nothing to say of " + goal);
  process.exit(3);
}
console.log(said);
`;

/** A directory with a scripted model. */
async function place(answers: Readonly<Record<string, readonly string[]>>) {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, "model.mjs"), SCRIPTED);
  await writeFile(join(cwd, "answers.json"), JSON.stringify(answers));
  const model = ["--model-command", "node model.mjs"];
  const reportOf = async (out: string): Promise<EvalReport> =>
    JSON.parse(await readFile(join(cwd, out, "report.json"), "utf8")) as EvalReport;
  return { cwd, model, reportOf };
}

const LOST = "Which boats are lost? I need their names.";

describe("SURF-53 plasm eval has models do tasks", () => {
  it("says what came out right, silently wrong, refused and corrected, and keeps each transcript", async () => {
    const { cwd, model, reportOf } = await place({
      "How many boats are moored?": [
        "Here it is:\n```\nBoat{state=moored}.aggregate(n=count)\n```",
      ],
      [LOST]: ["Boat{state=lots}[name]", "Boat{state=lost}[name]"],
      "Delete boat b6, which was broken up.": ['Boat("b7").delete()'],
      "Set the note of boat b4 to: needs paint": ['Boat("b4").update(note="needs paint")'],
    });
    const only = ["moored", "lost", "scrap", "paint", "fees"].flatMap((id) => ["--only", id]);
    const asked = ["eval", "samples", ...model, "--notation", "names", ...only, "--out", "now"];
    const ran = await runPlasm([...asked, "--at-least", "90", "--price", "3,15"], { cwd });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("3 of 5 right, less than 90 %");
    expect(ran.stdout).toContain('scrap · node model.mjs · names: wrong: Boat("b7").delete()');
    expect(ran.stdout).toContain("fees · node model.mjs · names: missing: node model.mjs: exit 3");
    const { sums, trials } = await reportOf("now");
    expect(sums).toMatchObject([
      {
        first: { right: 2, wrong: 1, refused: 1, partial: 0, missing: 1 },
        last: { right: 3, wrong: 1, refused: 0, partial: 0, missing: 1 },
        programs: 5,
      },
    ]);
    expect(sums[0]?.price).toBeGreaterThan(0);
    expect(trials.find(({ task }) => task === "lost")?.attempts[0]?.told).toContain("state");
    const kept = (await readFile(join(cwd, "now/transcripts.jsonl"), "utf8")).trim().split("\n");
    const turns = kept.map((line) => (JSON.parse(line) as { readonly turns: unknown[] }).turns);
    expect(turns.map((all) => all.length)).toEqual([2, 4, 1, 2, 2]);
  });

  it("does the same tasks by one tool an operation, in turns", async () => {
    const calls = (...all: readonly object[]): string => JSON.stringify({ calls: all });
    const moored = "How many boats are moored?";
    const paint = "Set the note of boat b4 to: needs paint";
    const scrap = "Delete boat b6, which was broken up.";
    const { cwd, model, reportOf } = await place({
      [moored]: ["Boat{state=moored}.aggregate(n=count)"],
      [paint]: ['Boat("b4").update(note="needs paint")'],
      [scrap]: ['Boat("b6").delete()'],
      [LOST]: ["Boat{state=lost}[name]"],
      [`tools: ${moored}`]: [
        "Let me see.",
        calls({ tool: "quay_boat_query", arguments: { state: "moored" } }),
        'There are so many: {"answer": 26}',
      ],
      [`tools: ${paint}`]: [
        calls(
          { tool: "quay_boat_get", arguments: { id: "b4" } },
          { tool: "quay_boat_update", arguments: { id: "b4", note: "needs paint" } },
        ),
        '{"answer": "done"}',
      ],
      [`tools: ${scrap}`]: [
        calls({ tool: "quay_boat_scuttle", arguments: { id: "b6" } }),
        '{"answer": "done"}',
      ],
      [`tools: ${LOST}`]: ['{"answer": null}'],
    });
    const only = ["moored", "paint", "scrap", "lost"].flatMap((id) => ["--only", id]);
    const asked = ["eval", "samples", ...model, "--notation", "names", "--tools", ...only];
    const ran = await runPlasm([...asked, "--out", "now"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("8 of 8")]);
    const { sums, trials } = await reportOf("now");
    expect(sums.map(({ form, last }) => [form, last.right, last.wrong, last.refused])).toEqual([
      ["names", 4, 0, 0],
      ["tools", 2, 1, 1],
    ]);
    const told = JSON.stringify(
      trials.find(({ task, form }) => task === "moored" && form === "tools"),
    );
    expect(told).toContain("quay_boat_query");
    const transcripts = await readFile(join(cwd, "now/transcripts.jsonl"), "utf8");
    expect(transcripts).toContain("There is no tool quay_boat_scuttle.");
    expect(transcripts).toContain('\\"next\\":');
  });

  it("compares with an earlier report, task by task", async () => {
    const { cwd, model } = await place({ [LOST]: ["Boat{state=lost}[name].limit(3)"] });
    const asked = ["eval", "samples", ...model, "--only", "lost", "--notation", "names"];
    expect((await runPlasm([...asked, "--out", "before"], { cwd })).code).toBe(0);
    await writeFile(
      join(cwd, "answers.json"),
      JSON.stringify({ [LOST]: ["Boat{state=lost}[name]"] }),
    );
    const ran = await runPlasm([...asked, "--against", "before/report.json"], { cwd });
    expect(ran.stdout).toContain("0 % → 100 %");
    expect(ran.stdout).toContain("- lost · node model.mjs · names: right 0 of 1 → 1 of 1");
    const wrong = await runHere(["eval", "samples", ...model, "--against", "answers.json"], {
      cwd,
    });
    expect(wrong.stderr).toContain("is no report of plasm eval");
  });

  it("asks endpoints as OpenAI's and Anthropic's are asked, again where they are busy, and shows no key", async () => {
    const { cwd } = await place({});
    const asked: { readonly path: string; readonly headers: IncomingHttpHeaders; body: string }[] =
      [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const path = request.url ?? "";
        asked.push({ path, headers: request.headers, body });
        if (asked.length === 1) {
          response.writeHead(429, { "retry-after": "0.01" }).end("busy");
        } else if (path.startsWith("/bad")) {
          response.writeHead(401).end(`no such key: ${JSON.stringify(request.headers)}`);
        } else {
          const text = "Boat{state=moored}.aggregate(n=count)";
          response.end(
            path.endsWith("/messages")
              ? JSON.stringify({
                  content: [{ type: "text", text }],
                  usage: { input_tokens: 901, output_tokens: 7 },
                })
              : JSON.stringify({
                  choices: [{ message: { content: text } }],
                  usage: { prompt_tokens: 900, completion_tokens: 6 },
                }),
          );
        }
      });
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(null)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { SOME_KEY: "sk-s3cret" };
    const run = async (endpoint: string, like: string) => {
      const how = [
        "--model",
        "m1",
        "--endpoint",
        endpoint,
        "--like",
        like,
        "--key-env",
        "SOME_KEY",
      ];
      const ran = await runPlasm(
        ["eval", "samples", ...how, "--only", "moored", "--notation", "names", "--format", "json"],
        { cwd, env },
      );
      expect(ran.stdout + ran.stderr).not.toContain("s3cret");
      return (JSON.parse(ran.stdout) as EvalReport).sums[0];
    };
    try {
      expect(await run(`${url}/v1/`, "openai")).toMatchObject({
        last: { right: 1 },
        tokens: { in: 900, out: 6 },
      });
      expect(await run(`${url}/v1`, "anthropic")).toMatchObject({
        last: { right: 1 },
        tokens: { in: 901, out: 7 },
      });
      expect(await run(`${url}/bad`, "openai")).toMatchObject({ last: { missing: 1 } });
    } finally {
      server.close();
    }
    expect(asked.map(({ path }) => path)).toEqual([
      "/v1/chat/completions",
      "/v1/chat/completions",
      "/v1/messages",
      "/bad/chat/completions",
    ]);
    expect(asked[1]?.headers.authorization).toBe("Bearer sk-s3cret");
    expect(asked[2]?.headers["x-api-key"]).toBe("sk-s3cret");
    expect(asked[2]?.body).toContain("How many boats are moored?");
  });

  it("starts an API of the file's own, with its first data for each task", async () => {
    const add = 'Lamp.create(name="new")';
    const { cwd, model, reportOf } = await place({ "Add an item called new.": [add] });
    await writeFile(join(cwd, "api.mjs"), OWN_API);
    await runHere(["catalog", "init", "items", "--api", "-"], { cwd, input: OWN_DOCUMENT });
    const tasks = {
      label: "Items",
      catalogs: ["items"],
      apis: { items: { command: ["node", "api.mjs"] } },
      tasks: [
        {
          id: "add",
          goal: "Add an item called new.",
          seeds: [{ api: "items", entity: "Lamp" }],
          expect: { state: [{ api: "items", get: "/count", has: { items: 2 } }] },
        },
      ],
    };
    await writeFile(join(cwd, "tasks.json"), JSON.stringify(tasks));
    const asked = ["eval", "tasks.json", ...model, "--notation", "names"];
    const ran = await runPlasm([...asked, "--repeat", "3", "--out", "now"], { cwd });
    expect(ran.stderr + ran.stdout).toContain("3 of 3 (100 %)");
    expect((await reportOf("now")).trials.map(({ repeat }) => repeat)).toEqual([1, 2, 3]);
    const [task] = tasks.tasks;
    const unknown = { ...tasks, tasks: [{ ...task, seeds: [{ api: "items", entity: "Door" }] }] };
    await writeFile(join(cwd, "tasks.json"), JSON.stringify(unknown));
    const refused = await runPlasm(asked, { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Task add")]);
    const silent = { ...tasks, apis: { items: { command: ["node", "-e", "process.exit(4)"] } } };
    await writeFile(join(cwd, "tasks.json"), JSON.stringify(silent));
    const failed = await runPlasm(asked, { cwd });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("did not start: it ended (4)");
  });

  it("runs what docs/evaluating.md shows, and none of it needs more", async () => {
    const page = await readFile(new URL("../../../../docs/evaluating.md", import.meta.url), "utf8");
    const blockOf = (kind: string): string =>
      new RegExp(`^\`\`\`${kind}\\n([^\`]*)`, "m").exec(page)?.[1] ?? "";
    const { cwd } = await place({
      "How many boats are moored?": ["Boat{state=moored}.aggregate(n=count)"],
      "What is the longest boat called, and how long is it?": [
        "Boat.sort(length desc).limit(1)[name, length]",
      ],
    });
    await writeFile(join(cwd, "model.sh"), "#!/bin/sh\nexec node model.mjs\n", { mode: 0o755 });
    await writeFile(join(cwd, "tasks.yaml"), blockOf("yaml tasks.yaml"));
    const lines = blockOf("sh").trim().split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { code, stdout, stderr } = await runPlasm(line.split(" ").slice(1), { cwd });
      expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
      expect(stdout).toContain("missing: ./model.sh: exit 3");
    }
  });

  it("tells what is wrong with a file of tasks, by its lines, and who is to do them", async () => {
    const { cwd, model } = await place({});
    await writeFile(
      join(cwd, "bad.yaml"),
      "label: x\ntasks:\n  - id: a\n    gaol: b\n    expect: {}\n",
    );
    const bad = await runHere(["eval", "bad.yaml", ...model], { cwd });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("line 3, tasks.0.goal: is missing; it is a string");
    expect(bad.stderr).toContain("line 5, tasks.0.expect: says nothing of a right answer");
    expect(bad.stderr).toContain("no such member: gaol");
    const nobody = await runHere(["eval", "bad.yaml"], { cwd });
    expect(nobody.stderr).toContain("tasks.0.goal");
    await writeFile(
      join(cwd, "ok.yaml"),
      "label: x\nsamples: true\ntasks: [{id: a, goal: b, expect: {number: 1}}]\n",
    );
    const none = await runHere(["eval", "ok.yaml"], { cwd });
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining("--model-command COMMAND"),
    ]);
    const given =
      "label: x\napis: {desk: {given: a desk with its first data}}\ntasks: [{id: a, goal: b, expect: {number: 1}}]\n";
    await writeFile(join(cwd, "given.yaml"), given);
    const asks = async (...args: readonly string[]) =>
      (await runHere(["eval", "given.yaml", ...model, ...args], { cwd })).stderr;
    expect(await asks()).toContain(
      "The tasks need a desk with its first data. Say where it is: --server desk=",
    );
    expect(await asks("--server", "dask=http://127.0.0.1:1")).toContain(
      "the tasks name no API dask; they name desk",
    );
    expect(await asks("--server", "desk")).toContain("It is the id of a catalog and an address");
    await writeFile(join(cwd, "fixture.yaml"), given.replace("apis:", "fixtures: [garden]\napis:"));
    const fixture = await runHere(["eval", "fixture.yaml", ...model], { cwd });
    expect(fixture.stderr).toContain("There is no fixture garden: there are github, shop.");
    const unknown = await runHere(["eval", "ok.yaml", ...model, "--only", "z"], { cwd });
    expect(unknown.stderr).toContain("There is no task z in");
  });
});

const OWN_API = `
import { createServer } from "node:http";
let items = [{ id: "1", name: "first" }];
createServer((request, response) => {
  const answer = (status, body) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.url === "/count") return answer(200, { items: items.length });
  if (request.method === "GET") return answer(200, items);
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const made = { id: String(items.length + 1), ...JSON.parse(body) };
    items.push(made);
    answer(201, made);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const ITEM = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string" }, name: { type: "string" } },
};
const json = (schema: unknown) => ({ "application/json": { schema } });
const OWN_DOCUMENT = JSON.stringify({
  openapi: "3.0.3",
  info: { title: "Items", version: "1" },
  servers: [{ url: "http://127.0.0.1:1" }],
  paths: {
    "/lamps": {
      get: {
        operationId: "listLamps",
        responses: { "200": { description: "ok", content: json({ type: "array", items: ITEM }) } },
      },
      post: {
        operationId: "createLamp",
        requestBody: {
          required: true,
          content: json({ type: "object", properties: { name: { type: "string" } } }),
        },
        responses: { "201": { description: "made", content: json(ITEM) } },
      },
    },
  },
});
