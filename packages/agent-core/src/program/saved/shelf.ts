import type { EntityRef, Json } from "@plasm/core";
import { cleanText, compareCodePoints, nearestName, quoteText } from "@plasm/core/internal";
import { isForbidden } from "../../artifacts/still-allowed.ts";
import { noteAudit } from "../../audit/audit-log.ts";
import { named } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import { type Caller, principalOf } from "../../identity/caller.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import { insufficientScope } from "../../identity/token-claims.ts";
import type { SavedProgramRecord } from "../../records/saved-programs.ts";
import type { SessionDeps } from "../../session/session-deps.ts";
import type { ListedTypes, StoreOps, Stored } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import { type SavedParameter, parametersOf } from "./parameters.ts";

/** What a text of a saved program says; the rest is found out when it is planned. */
interface SavedText {
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
function savedText(saved: SavedText | SavedProgramRecord): string {
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

/** A saved program as a list shows it (SAV-05). */
export type SavedProgramRow = {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly SavedParameter[];
  readonly returns: readonly string[];
  /** what it changes, as `entry_id/capability` */
  readonly effects: readonly string[];
  readonly catalogs: readonly string[];
  readonly shared: boolean;
  /** who saved it */
  readonly owner: string | null;
  /** whether that is the caller */
  readonly own: boolean;
  readonly version: string;
  readonly saved_at: string;
};

/** One of them whole. */
export type SavedProgramView = SavedProgramRow & {
  readonly program: string;
  /** the same as a text for a file, which an import takes */
  readonly text: string;
};

/** What looking for saved programs takes. */
export type ShelfDeps = Pick<SessionDeps, "store" | "policies">;

type Saved = Stored<SavedProgramRecord>;
type Listed = Stored<ListedTypes["savedProgram"]>;

/** Code points of a default, as an answer repeats it. */
const MOST_DEFAULT = 40;

/** How many a tenant may keep. */
const MOST = 1_000;

/** Programs whose texts are read by one statement: a list needs their parameters alone. */
const AT_ONCE = 100;

const ownedBy = (principal: string): string => `${principal}/`;
const idOf = (principal: string, name: string): string => ownedBy(principal) + name;

/** Who has no identity keeps nothing, and a credential that only reads changes nothing that others use. */
export function refuseKeeping({ anonymous, readsOnly }: Caller, what: string): void {
  if (anonymous === true) {
    throw fail("plasm-unauthenticated", `To ${what} takes an identity: send a credential.`);
  }
  if (readsOnly === undefined) return;
  const { lacks, stepUp } = readsOnly;
  throw insufficientScope(
    `To ${what} changes something, and the credential of this call lacks the scope ${lacks}.`,
    stepUp,
  );
}

/** Writes it in the place of what its owner has saved under the name, with a line of the audit log (SAV-05). */
export async function keep(
  { store }: OperationDeps,
  caller: Caller,
  record: SavedProgramRecord,
): Promise<SavedProgramView> {
  const { scope } = caller;
  const { owner, name, shared } = record;
  await store.transaction(async (tx) => {
    const all = await tx.list("savedProgram", scope, "");
    const others = all.filter(({ id }) => id !== idOf(owner, name));
    if (shared && others.some(({ value }) => value.shared && value.name === name)) {
      throw fail(
        "plasm-bad-request",
        `Another shared program is called ${name} already. Take another name, or save it for yourself alone.`,
      );
    }
    if (others.length >= MOST) {
      throw fail(
        "plasm-quota-exceeded",
        `This tenant keeps ${MOST} saved programs, as many as it may. Remove one first.`,
      );
    }
    await tx.delete("savedProgram", scope, idOf(owner, name));
    await tx.insert("savedProgram", scope, idOf(owner, name), record);
    await audit(tx, caller, "program_saved", record);
  });
  return savedView(caller, record);
}

const audit = (
  tx: StoreOps,
  caller: Caller,
  kind: "program_saved" | "program_removed",
  { name, commit, shared, subject, version }: Omit<SavedProgramRecord, "program">,
): Promise<void> =>
  noteAudit(tx, tenantOfScope(caller.scope), {
    kind,
    subject: caller.subject,
    acting_for: caller.actingFor ?? null,
    target: name,
    commit,
    request_id: caller.requestId ?? null,
    detail: `${shared ? "shared" : "private"}, version ${version.slice(0, 12)}, of ${subject ?? "nobody in particular"}`,
  });

/** The programs that a caller may run: its own, and those of its tenant that are shared, by name. */
async function visibleTo(
  deps: ShelfDeps,
  caller: Caller,
  only?: "shared",
): Promise<readonly Listed[]> {
  if (caller.anonymous === true) return [];
  const { store } = deps;
  const { scope } = caller;
  const principal = principalOf(caller);
  const policy = await deps.policies.policyOf(scope);
  const own = (one: Listed): boolean => only === undefined && one.value.owner === principal;
  const all = (await store.list("savedProgram", scope, "")).filter(
    (one) =>
      (own(one) || one.value.shared) &&
      !isForbidden(policy, Object.keys(one.value.digests), one.value.uses),
  );
  const hidden = new Set(all.filter(own).map(({ value }) => value.name));
  return all
    .filter((one) => own(one) || !hidden.has(one.value.name))
    .toSorted((a, b) => compareCodePoints(a.value.name, b.value.name));
}

export async function listSaved(
  deps: ShelfDeps,
  caller: Caller,
): Promise<readonly SavedProgramRow[]> {
  const rows: SavedProgramRow[] = [];
  const ids = (await visibleTo(deps, caller)).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = await deps.store.getAll(
      "savedProgram",
      caller.scope,
      ids.slice(from, from + AT_ONCE),
    );
    rows.push(...some.map(({ value }) => rowOf(caller, value)));
  }
  return rows;
}

/** Foreign, forbidden and unknown alike: throws plasm-unknown-program (SAV-05). */
export const findSaved = async (deps: ShelfDeps, caller: Caller, name: string): Promise<Saved> =>
  pick(deps, caller, name, await visibleTo(deps, caller));

/** Looks for programs by name, as {@link findSaved} does, over what is visible when it is first asked. */
export interface ProgramShelf {
  find(name: string): Promise<Saved>;
  /** among those that are shared alone, which programs that are shared call */
  findShared(name: string): Promise<Saved>;
}

/** A shelf for many looks at once: each list is read once. */
export function shelfOf(deps: ShelfDeps, caller: Caller): ProgramShelf {
  let all: ReturnType<typeof visibleTo> | null = null;
  let shared: ReturnType<typeof visibleTo> | null = null;
  return {
    find: async (name) => pick(deps, caller, name, await (all ??= visibleTo(deps, caller))),
    findShared: async (name) =>
      pick(deps, caller, name, await (shared ??= visibleTo(deps, caller, "shared"))),
  };
}

async function pick(
  deps: ShelfDeps,
  caller: Caller,
  name: string,
  all: readonly Listed[],
): Promise<Saved> {
  const listed = all.find(({ value }) => value.name === name);
  const found =
    listed === undefined ? null : await deps.store.get("savedProgram", caller.scope, listed.id);
  if (found !== null) return found;
  const near = nearestName(
    name,
    all.map(({ value }) => value.name),
  );
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  throw fail("plasm-unknown-program", `No saved program ${named(name)}.${guess}`);
}

function rowOf(caller: Caller, value: SavedProgramRecord): SavedProgramRow {
  const {
    name,
    description,
    program,
    parameters,
    returns,
    effects,
    digests,
    shared,
    subject,
    owner,
    version,
    savedAt,
  } = value;
  return {
    name,
    description,
    parameters: parametersOf(program, parameters),
    returns,
    effects,
    catalogs: Object.keys(digests),
    shared,
    owner: subject,
    own: owner === principalOf(caller),
    version,
    saved_at: new Date(savedAt).toISOString(),
  };
}

const defaultText = (value: Json): string =>
  cleanText(typeof value === "string" ? quoteText(value) : JSON.stringify(value), MOST_DEFAULT);

/** What a model is told that has saved a program: how it is called from then on (SAV-10). */
export function savedAnswer({
  name,
  version,
  parameters,
  effects,
  shared,
}: SavedProgramRow): string {
  const named = parameters.map((one) => `${one.name}=${defaultText(one.default)}`).join(", ");
  const takes = parameters.map((one) => `${one.name} ${one.type}${one.list ? " list" : ""}`);
  return [
    `saved ${name} · version ${version.slice(0, 12)} · ${shared ? "shared with the tenant" : "yours alone"}`,
    ...(takes.length === 0 ? [] : [`takes ${takes.join(", ")}`]),
    ...(effects.length === 0 ? [] : [`each call is reviewed: ${effects.join(", ")}`]),
    `In a program it is called as s.${name}(${named}); for people it is a prompt, and plasm do ${name}`,
  ].join("\n");
}

/** A saved program as a list shows it, of what is shown of one whole. */
export function savedRow(saved: SavedProgramView): SavedProgramRow {
  const { program: _program, text: _text, ...row } = saved;
  return row;
}

export const savedView = (caller: Caller, value: SavedProgramRecord): SavedProgramView => ({
  ...rowOf(caller, value),
  program: value.program,
  text: savedText(value),
});

/** Removes a program: its owner may, and an operator of the tenant one that is shared. */
export async function removeSaved(
  deps: OperationDeps,
  caller: Caller,
  name: string,
): Promise<SavedProgramRow> {
  refuseKeeping(caller, "remove a saved program");
  const { store } = deps;
  const { scope } = caller;
  // What policy hides meanwhile is still its owner's to remove.
  const own = await store.get("savedProgram", scope, idOf(principalOf(caller), name));
  const found = own ?? (await findSaved(deps, caller, name));
  if (own === null && caller.oversees !== true) {
    throw fail(
      "plasm-policy-denied",
      `${name} is ${found.value.subject ?? "another caller"}'s: who saved it removes it, or an operator.`,
    );
  }
  await store.transaction(async (tx) => {
    await tx.delete("savedProgram", scope, found.id);
    await audit(tx, caller, "program_removed", found.value);
  });
  return rowOf(caller, found.value);
}
