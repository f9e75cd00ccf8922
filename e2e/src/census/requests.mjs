/**
 * `pnpm requests [--directory DIR] [--only Stripe]`: imports well-known APIs and asks a mock server that checks each
 * request against the API's document (Prism) for what the rubric names: list, get, create and update of each thing, and a get that
 * is answered with an error. Documents are those of `pnpm grades`. Ends with 1 where a call is not as its document says.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCatalog } from "@plasm/core";
import { catalogFromOpenApi, parseOpenApi } from "@plasm/importers";
import { envSecrets } from "@plasm/runtime";
import { parse } from "yaml";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";
import { callProgram } from "../servers/github-document/call-program.ts";
import { httpTemplates } from "../servers/github-document/github-catalog.ts";
import { Operations } from "../servers/github-document/operations.ts";
import { partOfDocument } from "../servers/github-document/part-of-document.ts";
import { recordingTransport } from "../servers/github-document/recording-transport.ts";
import { Samples } from "../servers/github-document/sample-value.ts";
import { startPrism } from "../servers/github-document/start-prism.ts";
import { fetchDirectory, fetchPackage, isSeen } from "./directory.mjs";
import { keysOf } from "./measure.mjs";
import { RUBRIC } from "./rubric.mjs";

const { values } = parseArgs({
  options: {
    directory: { type: "string" },
    only: { type: "string", default: "" },
  },
});

/** Whatever a catalog calls its credentials; a name and a password where both are one header. */
const ANY_SECRET = new Proxy({}, { get: () => Buffer.from("ann:sesame").toString("base64") });
/** Prism does not start in 90 s on what large documents answer. */
const MOST_ANSWERS = 500_000;
/** Prism takes an object of a form that is not sent for an empty one, and misses its members. */
const KNOWN = new Set([
  'Product.create(name="word")',
  'Subscription.create(customer=Customer("word"))',
]);

const CALLS = ["list", "get", "create", "update"];
const templateOf = (path) => path.replaceAll(/\{[^{}]*\}/g, "{}");

/** An import as files, opened, with the capability of each operation by its key (`GET /boats/{}`). */
async function importApi(document, scratch) {
  const server = "https://api.example.com";
  const texts = await catalogFromOpenApi(document, { entryId: "asked", validate: false, server });
  const directory = join(scratch, "asked");
  mkdirSync(directory);
  for (const file of ["domain", "mappings"])
    writeFileSync(join(directory, `${file}.yaml`), texts[file]);
  const read = (file) => ({ file: `${file}.yaml`, text: texts[file] });
  const opened = { entryId: "asked", domain: read("domain"), mappings: read("mappings") };
  const { catalog } = openCatalog(opened);
  const mappings = Object.entries(parse(texts.mappings));
  const byKey = new Map(mappings.flatMap(([name, one]) => keysOf(one).map((key) => [key, name])));
  return { catalog, directory, byKey };
}

/** Sends what `status` says as the answer that the mock is to choose. */
const preferring = (inner, status) => ({
  send: (request) => {
    const prefer = status() === null ? [] : [["prefer", `code=${status()}`]];
    return inner.send({ ...request, headers: [...request.headers, ...prefer] });
  },
  close: () => inner.close(),
});

/** The first status from 400 on that the document has for an operation. */
const errorOf = (operation) =>
  [...operation.answers.keys()].find((status) => status >= 400 && status < 500 && status !== 429);

/** What the document does not allow of the requests of a program; what Prism finds of its own answers is not theirs. */
async function checked(run, transport, program, isError = false) {
  transport.forget();
  const problem = await run(program).then(
    () => null,
    (thrown) => String(thrown?.message ?? thrown).split("\n")[0],
  );
  const { witnessed } = transport;
  if (witnessed.length === 0) return [`nothing was sent: ${problem ?? ""}`.slice(0, 200)];
  const violations = witnessed.flatMap((one) => one.violations);
  const refused = witnessed.filter(({ status }) => status === 422 && !isError);
  return [
    ...violations.filter((line) => !/^response\b/.test(line)),
    ...refused.map(({ method, path }) => `${method} ${path} was refused`),
    ...(isError && problem === null ? ["an answer with an error was no failure"] : []),
  ];
}

/** The same document with answers of which nothing is said: what is sent is checked all the same. */
function withoutAnswers(document) {
  const paths = structuredClone(document.paths);
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item)))
    for (const answer of Object.values(operation?.responses ?? {}))
      if (answer.content !== undefined) answer.content = { "application/json": { schema: {} } };
  return { ...document, paths };
}

/** The part of a document that calls of these paths meet. */
function partOf(document, paths) {
  const whole = partOfDocument({ components: {}, ...document }, paths);
  const isLarge = JSON.stringify(whole).length > MOST_ANSWERS;
  const part = isLarge ? partOfDocument(withoutAnswers(whole), paths) : whole;
  // Schemes are named, not referred to.
  const securitySchemes = document.components?.securitySchemes ?? {};
  return { ...part, components: { ...part.components, securitySchemes } };
}

/** The calls of an API, each with what is wrong of it. */
async function checkApi(api, document) {
  const scratch = mkdtempSync(join(tmpdir(), "plasm-requests-"));
  const { catalog, directory, byKey } = await importApi(document, scratch);
  const wanted = api.things.flatMap((thing) =>
    CALLS.flatMap((call) => (thing[call] === null ? [] : [{ call, key: thing[call], thing }])),
  );
  const templates = new Set(wanted.map(({ key }) => key.slice(key.indexOf(" ") + 1)));
  const paths = Object.keys(document.paths).filter((path) => templates.has(templateOf(path)));
  const part = partOf(document, paths);
  const prism = await startPrism(part, scratch, "/");
  const recorded = recordingTransport(part, (_path, body) => body);
  let status = null;
  const engine = await openEngine({
    dataDir: join(scratch, "data"),
    catalogs: [directory],
    backends: new Map([["asked", prism.url]]),
    ports: { transport: preferring(recorded, () => status), secrets: envSecrets(ANY_SECRET) },
  });
  const entities = [...catalog.cgs.entities.values()].filter(({ abstract }) => !abstract);
  const needed = new Set(
    wanted.map(({ key }) => catalog.cgs.capabilities.get(byKey.get(key))?.entity),
  );
  const seeds = entities.filter(({ name }) => needed.has(name));
  const { meta } = await engine.context(caller(), {
    intent: "calls",
    seeds: seeds.map(({ name }) => ({ api: "asked", entity: name })),
  });
  const session = { kind: "ref", ref: meta.logical_session_ref };
  const run = (program) =>
    engine
      .run(caller(), session, { program, force: true, wait: true })
      .catch((thrown) => Promise.reject(new Error(engine.problemOf(thrown).text)));
  const operations = new Operations(part);
  const samples = new Samples(catalog, operations);
  const bodyOf = (schema) => operations.schema(schema).properties;
  const calls = [];
  for (const { call, key, thing } of wanted) {
    const name = byKey.get(key);
    const add = (kind, program, wrong) =>
      calls.push({ thing: thing.names[0], call: kind, program, wrong });
    if (name === undefined) {
      add(call, key, ["no capability"]);
      continue;
    }
    const template = httpTemplates(catalog).get(name);
    const capability = catalog.cgs.capabilities.get(name);
    const operation = operations.of(template);
    const made = { catalog, capability, template, operation };
    let program;
    try {
      program = callProgram(made, samples, { which: "required", bodyOf });
    } catch (thrown) {
      add(call, key, [`no program: ${thrown.message}`]);
      continue;
    }
    add(call, program, await checked(run, recorded, program));
    status = call === "get" && operation !== undefined ? (errorOf(operation) ?? null) : null;
    if (status !== null) add("error", program, await checked(run, recorded, program, true));
    status = null;
  }
  await engine.close();
  await prism.close();
  rmSync(scratch, { recursive: true, force: true });
  return calls;
}

const directory = values.directory ?? (await fetchDirectory());
let isGood = true;
for (const api of RUBRIC.filter((one) => one.api.includes(values.only))) {
  if (api.package === undefined && !isSeen(api.file)) continue;
  const from = api.package === undefined ? directory : await fetchPackage(api.package);
  const document = parseOpenApi(readFileSync(join(from, api.file), "utf8"));
  const calls = await checkApi(api, document).catch((thrown) => [
    { thing: "", call: "", program: "", wrong: [String(thrown?.stack ?? thrown).slice(0, 300)] },
  ]);
  const wrong = calls.filter((one) => one.wrong.length > 0);
  console.log(
    `${api.api}: ${calls.length - wrong.length} of ${calls.length} calls are as its document says`,
  );
  for (const one of wrong)
    console.log(`    ${one.call} ${one.program}\n        ${one.wrong.join("\n        ")}`);
  isGood &&= wrong.every(({ program }) => KNOWN.has(program));
}
process.exitCode = isGood ? 0 : 1;
