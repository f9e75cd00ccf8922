import type { Caller, Engine } from "@plasm/agent-core";
import { visible } from "@plasm/core/internal";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { Skill } from "@modelcontextprotocol/server/ext/skills";
import { z } from "zod";

// The names of the extension; its code, which makes entries, is loaded when somebody asks for skills.
const EXTENSION = "io.modelcontextprotocol/skills";
const LIST = "skills/list";
const GET = "skills/get";

/** The extension as a server declares it (SURF-37). */
export const SKILLS_CAPABILITY = Object.freeze({ [EXTENSION]: {} });

const OWN = "plasm";
const FILE = "SKILL.md";

/** Where the skill of the server's own is read. */
export const OWN_SKILL_URI = `skill://${OWN}/${FILE}`;

const MOST_ENTITIES = 40;
const LONGEST = 200;
const LONGEST_METHODS = 80;

/** A text of a catalog on one line, cut: it is data, and cannot end a line of ours. */
const oneLine = (text: string, most = LONGEST): string => {
  const points = Array.from(visible(text).replaceAll(/\s+/g, " ").trim());
  return points.length <= most ? points.join("") : `${points.slice(0, most).join("")}…`;
};

const file = (name: string, description: string, body: readonly string[]): string =>
  [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    "---",
    "",
    ...body,
    "",
  ].join("\n");

/** How to use Plasm: what the server's instructions and the contract of a session say, before either is needed. */
const OWN_SKILL = file(
  OWN,
  "Read and change data of connected APIs by small reviewed programs. Use it where a task needs data of an API that is connected through Plasm, more than one request, a join or a sum over pages, or a change that must be seen before it happens.",
  [
    "# Work with APIs through Plasm",
    "",
    "1. `plasm_context {intent}` opens a session: what fits the goal is taught as a table. Name seeds where you know them: `seeds: [{api, entity}]`, or `{api}` alone. The answer begins with a ref, `s0`. Symbols never change; nothing is sent twice. Ask for further entities by the same tool and the same intent.",
    "2. Write a program over the table, a statement per line. Each program is checked whole before anything runs; an error says where, what is allowed and often the program that was meant: send that.",
    "3. `plasm_run {logical_session_ref, program}` reads at once. What changes something, or reads very much, answers a plan with every effect and a ref `pcN` instead, and nothing was done: show it to the person if they have to agree, then `plasm_run {logical_session_ref, plan_commit_ref}` runs exactly that, once. Sent again it repeats nothing.",
    "4. `plasm {logical_session_ref, program}` only plans.",
    "",
    "One program does what many calls would: conditions, sort, limit, group_by with counts and sums, join across APIs, a change for each row. Fetch no pages by hand, and compute nothing in your head that a program can.",
    "",
    "```",
    "late = Task{done=false, due<today}.sort(due).limit(20)[id, title]",
    "n = Task.group_by(assignee, n=count)",
    'late => Task(_.id).update(priority="high")',
    "late, n",
    "```",
    "",
    "An answer that is not whole says so, and how to go on: `page(h)` for more rows, `wait(h)` for work that goes on, a link where somebody has to sign in. `plasm_run` with the same ref goes on after that; nothing has to be written again.",
    "",
    "What will be asked again is kept by name: `plasm_run {logical_session_ref, plan_commit_ref or program, save: {name, description, parameters: [labels]}}`. A parameter is a label bound to a plain value.",
  ],
);

interface Served {
  readonly name: string;
  readonly text: string;
}

/** The skill of one catalog: what it is for, what it has, and how to begin. */
async function catalogSkill(engine: Engine, caller: Caller, entryId: string): Promise<Served> {
  const { label: said, description, entities } = await engine.registryEntry(caller, entryId);
  const label = said === "" ? entryId : said;
  const name = `${OWN}-${entryId}`;
  const able = entities.filter(({ capabilities }) => capabilities.length > 0);
  const rows = able.slice(0, MOST_ENTITIES).map((one) => {
    const labels = one.capabilities.map((each) => each.label).join(", ");
    const what = oneLine(one.description);
    return `- ${one.entity}${what === "" ? "" : `: ${what}`} (${oneLine(labels, LONGEST_METHODS)})`;
  });
  const left = able.length - rows.length;
  const more = left === 0 ? [] : [`- and ${left} more, which \`discover_capabilities\` finds`];
  const what = oneLine(description === "" ? label : description);
  const text = file(name, `${oneLine(label)} through Plasm: ${what}`, [
    `# ${oneLine(label)} through Plasm`,
    "",
    `Begin with \`plasm_context {intent, seeds: [{"api": "${entryId}"}]}\`, or name entities from below beside the API. The skill \`${OWN}\` says how programs are written and run.`,
    "",
    "What it has, with what can be done:",
    "",
    ...rows,
    ...more,
  ]);
  return { name, text };
}

/** Names as the extension has them; a catalog whose id makes none has no skill. */
const isCatalogSkill = (name: string): boolean =>
  name.length <= 64 && /^plasm(?:-[a-z0-9]+)+$/.test(name);

async function served(engine: Engine, caller: Caller): Promise<readonly Served[]> {
  const rows = await engine.registry(caller);
  const ids = rows.map((one) => one.entry_id).filter((id) => isCatalogSkill(`${OWN}-${id}`));
  const ofCatalogs = await Promise.allSettled(ids.map((id) => catalogSkill(engine, caller, id)));
  // One that has just gone takes nothing from the others.
  const there = ofCatalogs.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return [{ name: OWN, text: OWN_SKILL }, ...there];
}

async function entryOf({ name, text }: Served): Promise<Skill> {
  const { skillEntry } = await import("@modelcontextprotocol/server/ext/skills");
  return skillEntry(name, { [FILE]: text });
}

/** What an address of a skill leads to, for a caller; null where there is no such skill, or it is not theirs to see. */
async function skillAt(engine: Engine, caller: Caller, uri: string): Promise<Served | null> {
  const [, name] = /^skill:\/\/([^/]+)\/SKILL\.md$/.exec(uri) ?? [];
  if (name === OWN) return { name, text: OWN_SKILL };
  if (name === undefined || !isCatalogSkill(name)) return null;
  const id = name.slice(OWN.length + 1);
  const rows = await engine.registry(caller);
  return rows.some((one) => one.entry_id === id) ? catalogSkill(engine, caller, id) : null;
}

const unknown = (uri: string): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `No skill ${visible(uri.slice(0, LONGEST))}. ${LIST} names those that there are.`,
  );

/** A skill's text by its address, as a resource (SURF-37). Throws ProtocolError where there is none. */
export async function readSkill(engine: Engine, caller: Caller, uri: string) {
  const found = await skillAt(engine, caller, uri);
  if (found === null) throw unknown(uri);
  return { contents: [{ uri, mimeType: "text/markdown", text: found.text }] };
}

const LISTED = z.looseObject({ cursor: z.string().optional() });
const NAMED = z.looseObject({ uri: z.string() });

/** Catalogs come and go, and whose they are differs: an hour, and for nobody else. */
const CACHED = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/** Serves the skills of MCP: the server's own, and one for each catalog that the caller may use (SURF-37). */
export function serveSkills(server: Server, engine: Engine, caller: Caller): void {
  server.setRequestHandler(LIST, { params: LISTED }, async () => {
    const skills = await Promise.all((await served(engine, caller)).map(entryOf));
    return { skills, ...CACHED };
  });
  server.setRequestHandler(GET, { params: NAMED }, async ({ uri }) => {
    const found = await skillAt(engine, caller, uri);
    if (found === null) throw unknown(uri);
    return { skill: await entryOf(found), ...CACHED };
  });
}
