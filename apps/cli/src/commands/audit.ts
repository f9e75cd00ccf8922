import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { AuditLine, AuditPage } from "@plasm/agent-core/internal";
import { visible } from "@plasm/core/internal";
import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { clientWithKey, jsonAnswer, type ServerClient } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";
import { OPERATOR } from "./typed-key.ts";

/** The members of a line, in the order in which a table has them (OPS-41). */
const COLUMNS = [
  "n",
  "at",
  "happened_at",
  "tenant",
  "kind",
  "subject",
  "acting_for",
  "entry_id",
  "capability",
  "target",
  "plan_commit_ref",
  "commit",
  "operation_uuid",
  "request_id",
  "outcome",
  "detail",
  "prev",
  "hash",
] as const satisfies readonly (keyof AuditLine)[];

const isPage = (value: unknown): value is AuditPage => {
  const { lines, head, first } = (value ?? {}) as Partial<AuditPage>;
  return (
    Array.isArray(lines) &&
    lines.every((line) => hasTextMembers(line, ["at", "kind", "prev", "hash"])) &&
    hasTextMembers(head, ["hash"]) &&
    hasTextMembers(first, ["prev"])
  );
};

/** Which lines, as `GET /v1/audit` has it. */
interface FilterOptions {
  readonly since?: string;
  readonly until?: string;
  readonly kind?: string;
  readonly subject?: string;
  readonly catalog?: string;
}

const MOST = 1_000;

/** Every page of what options choose, one after the other. */
async function* pages(
  client: ServerClient,
  { catalog, ...filters }: FilterOptions,
  order: "asc" | "desc",
): AsyncGenerator<AuditPage> {
  const query = new URLSearchParams({ ...filters, order, limit: String(MOST) });
  if (catalog !== undefined) query.set("entry_id", catalog);
  for (;;) {
    const path = `/v1/audit?${query.toString()}`;
    const page = jsonAnswer(client, await client.get(path, "application/json"), isPage);
    yield page;
    if (page.next === null) return;
    query.set("after", String(page.next));
  }
}

/** A line for people: what is null is left out, and no character acts. */
function shown(line: AuditLine): string {
  const { n, at, kind, subject, acting_for: user, entry_id: catalog, capability, target } = line;
  const who = user === null ? (subject ?? "nobody") : `${subject ?? "nobody"} for ${user}`;
  const what = [catalog, capability, target].filter((part) => part !== null).join(" ");
  const { plan_commit_ref: ref, outcome, detail } = line;
  const parts = [n, at, kind, who, what === "" ? null : what, ref, outcome, detail];
  return visible(parts.filter((part) => part !== null).join(" · "));
}

async function list(cli: CliContext, options: FilterOptions & { limit: number }): Promise<void> {
  const { limit, ...filters } = options;
  const client = await clientWithKey(cli, OPERATOR);
  const found: AuditLine[] = [];
  let isMore = false;
  for await (const { lines, next } of pages(client, filters, "desc")) {
    const room = limit - found.length;
    found.push(...lines.slice(0, room));
    isMore = lines.length > room || next !== null;
    if (found.length === limit) break;
  }
  if (found.length === 0) return cli.out("No line of the audit log is like that.");
  cli.out(found.map(shown).join("\n"));
  if (isMore)
    cli.remark(`The newest ${limit} lines; more with --limit, all with plasm audit export.`);
}

/** Text that a spreadsheet would take for a formula is text there, too. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const FORMATS = {
  jsonl: (line: AuditLine): string => JSON.stringify(line),
  csv: (line: AuditLine): string => COLUMNS.map((name) => cell(line[name])).join(","),
} as const;

type Format = keyof typeof FORMATS;

async function exportLines(
  cli: CliContext,
  { format, ...filters }: FilterOptions & { format: Format },
): Promise<void> {
  const client = await clientWithKey(cli, OPERATOR);
  if (format === "csv") cli.out(COLUMNS.join(","));
  for await (const { lines } of pages(client, filters, "asc")) {
    if (lines.length > 0) cli.out(lines.map(FORMATS[format]).join("\n"));
  }
}

/** The lines of an exported file; what is no JSON is left to whoever checks it. */
async function* linesOfFile(path: string): AsyncGenerator<unknown> {
  const input = createReadStream(path, "utf8");
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    if (text.trim() === "") continue;
    try {
      yield JSON.parse(text) as unknown;
    } catch {
      yield null;
    }
  }
}

/** What a chain is checked by, line after line. */
interface Checked {
  lines: number;
  first: number;
  last: { readonly n: number; readonly hash: string } | null;
}

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/;

/** A line that somebody has kept of an earlier check. */
function keptHead(text: string | undefined): { readonly n: number; readonly hash: string } | null {
  if (text === undefined) return null;
  const [, n = "", hash = ""] = HEAD.exec(text) ?? [];
  if (n !== "") return { n: Number(n), hash };
  throw usageError("--head is what an earlier plasm audit verify printed: N:HASH.");
}

/** Checks lines one behind the other; throws at the first that does not fit. */
async function chainChecker(before: Checked["last"], kept: ReturnType<typeof keptHead>) {
  // Loaded on demand: commands that talk to a server need neither engine nor store.
  const { lineFault } = await import("@plasm/host");
  const checked: Checked = { lines: 0, first: 0, last: before };
  let isKeptSeen = false;
  const check = (line: unknown): void => {
    const { n, hash, prev } = (line ?? {}) as Partial<AuditLine>;
    const fault = lineFault(line, checked.last);
    const where = typeof n === "number" ? `Line ${n}` : `What stands behind ${checked.lines} lines`;
    if (fault !== null) throw failedError(`${where} does not fit: ${fault}.`);
    // The line that was kept, or the one behind it, which has its hash: a file may begin there.
    const isKept = kept !== null && n === kept.n;
    const isBehind = kept !== null && n === kept.n + 1;
    if (isKept && hash !== kept.hash) {
      throw failedError(`${where} does not fit: it is not the one of --head.`);
    }
    if (isBehind && prev !== kept.hash) {
      throw failedError(`${where} does not fit: its prev is not the hash of --head.`);
    }
    isKeptSeen ||= isKept || isBehind;
    if (checked.lines === 0) checked.first = Number(n);
    checked.last = { n: Number(n), hash: String(hash) };
    checked.lines += 1;
  };
  const missing = (): boolean => kept !== null && !isKeptSeen;
  return { checked, check, missing };
}

async function verify(
  cli: CliContext,
  file: string | undefined,
  { head: text }: { readonly head?: string },
): Promise<void> {
  const kept = keptHead(text);
  const { checked, missing } = await (file === undefined
    ? verifyServer(cli, kept)
    : verifyFile(resolve(cli.cwd, file), kept));
  const { lines, first, last } = checked;
  if (missing() && (kept?.n ?? 0) >= first) {
    throw failedError(`Line ${kept?.n}, the one of --head, is missing.`);
  }
  if (last === null || lines === 0) return cli.out("The audit log has no line.");
  if (missing()) cli.remark(`Line ${kept?.n} of --head is older than what is kept.`);
  cli.out(
    `${lines} lines fit, ${first} to ${last.n}. Keep the last, to see later that none before it was changed: --head ${last.n}:${last.hash}`,
  );
}

async function verifyServer(cli: CliContext, kept: ReturnType<typeof keptHead>) {
  const client = await clientWithKey(cli, OPERATOR);
  let checker: Awaited<ReturnType<typeof chainChecker>> | null = null;
  let end = 0;
  for await (const { lines, head, first } of pages(client, {}, "asc")) {
    checker ??= await chainChecker({ n: first.n - 1, hash: first.prev }, kept);
    for (const line of lines) checker.check(line);
    end = head.n;
  }
  if (checker === null) throw new Error("An audit log without a page");
  const last = checker.checked.last?.n ?? 0;
  if (last < end) throw failedError(`Line ${last + 1} does not fit: it is missing, of ${end}.`);
  return checker;
}

async function verifyFile(path: string, kept: ReturnType<typeof keptHead>) {
  const checker = await chainChecker(null, kept);
  try {
    for await (const line of linesOfFile(path)) checker.check(line);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === undefined) throw thrown;
    throw failedError(`${path} cannot be read (${code}).`, thrown);
  }
  return checker;
}

const HELP = `
Who reads it shows an operator's key: in PLASM_OPERATOR_KEY, or typed unseen. Times are dates, or times with
their zone. What is exported with no filter can be verified later, without a server.

Examples:
  $ plasm audit list --kind refused --since 2026-01-05
  $ plasm audit export --format csv --subject ann > ann.csv
  $ plasm audit export > audit.jsonl
  $ plasm audit verify audit.jsonl`;

const filtered = (command: Command): Command =>
  command
    .option("--since <time>", "lines from this time on")
    .option("--until <time>", "lines before this time")
    .option("--kind <kind>", "of this kind alone, such as effect_ended or refused")
    .option("--subject <name>", "of what this one did alone")
    .option("--catalog <id>", "of this catalog alone");

const countOf = (text: string): number => {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw usageError(`--limit is a whole number from 1 on, found ${JSON.stringify(text)}.`);
};

/** `plasm audit`: what operators read of what was done, decided and refused (SURF-20, OPS-42). */
export function addAudit(program: Command, cli: CliContext): void {
  const audit = program
    .command("audit")
    .description("Read, export and verify what was done, decided and refused.")
    .addHelpText("after", HELP);
  filtered(audit.command("list").description("Show the newest lines."))
    .addOption(new Option("--limit <n>", "so many").argParser(countOf).default(50))
    .action((options: FilterOptions & { limit: number }) => list(cli, options));
  filtered(audit.command("export").description("Print every line, the oldest first."))
    .addOption(
      new Option("--format <format>", "JSON Lines, or a table")
        .choices(Object.keys(FORMATS))
        .default("jsonl"),
    )
    .action((options: FilterOptions & { format: Format }) => exportLines(cli, options));
  audit
    .command("verify")
    .description(
      "Check that each line fits behind the one before it, and name the first that does not.",
    )
    .argument("[file]", "what plasm audit export printed; the server's log without it")
    .option("--head <n:hash>", "a line that an earlier verify printed, which must still be there")
    .action((file: string | undefined, options: { readonly head?: string }) =>
      verify(cli, file, options),
    );
}
