/**
 * A model for tests: `scripted-model.mjs SET ANSWERS WHICH` reads a prompt, and prints what `ANSWERS` has for its task in its form, `WHICH` right
 * or wrong. Where tools are called, it follows a result's `next` as often as there is one.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const [set, answers, which] = process.argv.slice(2);
let prompt = "";
for await (const chunk of process.stdin) prompt += chunk;

const read = (path) => parse(readFileSync(path, "utf8"));
const task = read(set).tasks.find(({ goal }) => prompt.includes(`\nTask: ${goal}\n`));
const own = read(answers)[task.id];

const formOf = () => {
  if (prompt.includes("by calling these tools")) return "tools";
  return prompt.includes("one JavaScript program") ? "code" : "program";
};

/** What to say after so many turns: a page on for each next of the last results, else what the script has. */
function turnOf(script) {
  const said = prompt.split("--- assistant ---").slice(1);
  const results = prompt.split("--- user ---").at(-1).split("\n");
  const follows = results.flatMap((line) => /"next":"([^"]+)"/.exec(line)?.[1] ?? []);
  const followed = said.filter((turn) => turn.includes("next_page")).length;
  const at = said.length - followed;
  const wanted = script[at];
  if (!wanted.follow) return wanted;
  const calls = follows.map((next) => ({ tool: "next_page", arguments: { next } }));
  return calls.length > 0 ? { calls } : script[at + 1];
}

const form = formOf();
if (which === "wrong") {
  const said = own.wrong[form];
  console.log(typeof said === "string" ? said : JSON.stringify(said));
} else console.log(form === "tools" ? JSON.stringify(turnOf(own.tools)) : own[form]);
