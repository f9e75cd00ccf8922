import type { EntityRef } from "@plasm/core";
import { nearestName } from "@plasm/core/internal";
import { named } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import type { SavedProgramRecord } from "../../records/saved-programs.ts";

/** What a text of a saved program says; the rest is found out when it is planned. */
export interface SavedText {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly string[];
  readonly shared: boolean;
  readonly seeds: readonly EntityRef[];
  readonly program: string;
}

const MEMBERS = ["name", "description", "parameters", "shared", "entities"] as const;
type Member = (typeof MEMBERS)[number];

const LINE = /^;; ([a-z]+):(.*)$/u;

/** A saved program as one text for a file: comments that say what it is, and the program (SAV-07). */
export function savedText(saved: SavedText | SavedProgramRecord): string {
  const entities = saved.seeds.map(({ api, entity }) => `${api}.${entity}`);
  const head: Readonly<Record<Member, string>> = {
    name: saved.name,
    description: saved.description,
    parameters: saved.parameters.join(", "),
    shared: saved.shared ? "yes" : "no",
    entities: entities.join(", "),
  };
  const lines = MEMBERS.map((member) => `;; ${member}: ${head[member]}`.trimEnd());
  return `${lines.join("\n")}\n\n${saved.program}\n`;
}

const wrong = (text: string) =>
  fail("plasm-bad-request", `The text is not that of a saved program: ${text}`);

const listOf = (text: string): readonly string[] =>
  text.split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));

function seedOf(text: string): EntityRef {
  const at = text.lastIndexOf(".");
  if (at < 1 || at === text.length - 1) {
    throw wrong(`entities has ${named(text)}, and must list them as catalog.Entity.`);
  }
  return { api: text.slice(0, at), entity: text.slice(at + 1) };
}

/** Reads what {@link savedText} wrote. Throws plasm-bad-request, naming the line that is missing or wrong. */
export function readSavedText(text: string): SavedText {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const head = new Map<Member, string>();
  let at = 0;
  for (; at < lines.length; at += 1) {
    const [, name, value = ""] = LINE.exec(lines[at] ?? "") ?? [];
    if (name === undefined) break;
    const member = MEMBERS.find((one) => one === name);
    if (member === undefined) {
      const near = nearestName(name, MEMBERS);
      throw wrong(
        `line ${at + 1} says ${named(name)}.${near === null ? "" : ` Did you mean ${near}?`} It may say: ${MEMBERS.join(", ")}.`,
      );
    }
    if (head.has(member)) throw wrong(`line ${at + 1} says ${member} again.`);
    head.set(member, value.trim());
  }
  const name = head.get("name");
  const entities = head.get("entities");
  if (name === undefined) throw wrong("it must begin with a line such as ;; name: weekly_report.");
  if (entities === undefined) throw wrong("it lacks a line such as ;; entities: catalog.Entity.");
  const shared = head.get("shared") ?? "no";
  if (shared !== "yes" && shared !== "no")
    throw wrong(`shared is ${named(shared)}, and must be yes or no.`);
  return {
    name,
    description: head.get("description") ?? "",
    parameters: listOf(head.get("parameters") ?? ""),
    shared: shared === "yes",
    seeds: listOf(entities).map(seedOf),
    program: lines.slice(at).join("\n").trim(),
  };
}
