import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Engine } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(ROOT, "docs/operating.md"), "utf8");

/** A file of this repository, with what a test in it says of itself, if the page does. */
interface Evidence {
  readonly file: string;
  readonly title: string | null;
}

const EVIDENCE = /`((?:apps|bench|e2e|packages|scripts)\/[\w./-]+\.(?:ts|mjs))`(?:\s+"([^"]+)")?/g;

const evidenceIn = (text: string): readonly Evidence[] =>
  [...text.matchAll(EVIDENCE)].map(([, file = "", title]) => ({
    file,
    title: title === undefined ? null : title.replaceAll(/\s+/g, " "),
  }));

const shownElsewhere = readFileSync(join(ROOT, "docs/evidence.md"), "utf8");

/** Whether the page of evidence has claims of a section, which begins with its heading, or of a part of it. */
const isShownElsewhere = (section: string): boolean =>
  [...`## ${section}`.matchAll(/^##+ (.+)$/gm)].some(([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-");
    return shownElsewhere.includes(`(operating.md#${anchor})`);
  });

const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The rows of the tables that have a column `Shown by`: each claim with what stands in that column. */
function claims(): readonly (readonly [string, string])[] {
  const tables = page.split(/^\| What \| Shown by \|\n\| --- \| --- \|\n/m).slice(1);
  return tables.flatMap((after) => {
    const [rows = ""] = after.split("\n\n");
    return rows
      .trim()
      .split("\n")
      .map((row) => {
        const [, claim = "", shown = ""] = row.split(" | ").join("|").split("|");
        return [claim.trim(), shown.trim()] as const;
      });
  });
}

describe("docs/operating.md: what it names to show a claim is there", () => {
  it.each(evidenceIn(page))("$file $title", ({ file, title }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(textOf(file)).toContain(title ?? "");
  });

  it("there is much of it, and a section that claims something is shown here, or in docs/evidence.md", () => {
    expect(evidenceIn(page).length).toBeGreaterThan(35);
    const sections = page.split(/^## /m).slice(1);
    const bare = sections.filter(
      (section) => evidenceIn(section).length === 0 && !isShownElsewhere(section),
    );
    // The last one says what nobody can show.
    expect(bare.map((section) => section.split("\n")[0])).toEqual(["What is not"]);
  });

  it.each(claims())("%s: is shown by something", (_, shown) => {
    expect(evidenceIn(shown).length > 0 || shown === "the same").toBe(true);
  });

  it("all claims are found", () => {
    expect(claims().length).toBeGreaterThan(15);
  });
});

/** The `sh` blocks of a section, in their order. */
function commandsOf(section: string): readonly string[] {
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const [own = ""] = text.split("\n## ");
  return [...own.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block ?? "");
}

const S0 = { kind: "ref", ref: "s0" } as const;
const boats = (intent: string) => ({ intent, seeds: [{ api: "quay", entity: "Boat" }] });

describe("the commands of docs/operating.md", () => {
  it("a data directory is copied while it is written to, and is restored", async () => {
    const [save, restore] = commandsOf("Back-up and restore");
    const own = mkdtempSync(join(tmpdir(), "plasm-backup-"));
    const dataDir = join(own, "data");
    const env = {
      ...process.env,
      PLASM_DATA: dataDir,
      PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    };
    const sh = (script = "exit 1") => promisify(execFile)("sh", ["-ec", script], { cwd: own, env });
    const me = caller();
    const refOf = async (engine: Engine, program: string) =>
      (await engine.plan(me, S0, program)).meta["plan_commit_ref"];

    const engine = await openEngine({ dataDir });
    await engine.context(me, boats("before"));
    const { prompt } = await engine.describe(me, S0);
    expect(await refOf(engine, "Boat.limit(3)")).toBe("pc0");
    const saving = { over: false };
    const saved = sh(save).finally(() => (saving.over = true));
    let wrote = 0;
    for (; !saving.over; wrote += 1) await engine.context(me, boats(`meanwhile ${wrote}`));
    await saved;
    expect(wrote).toBeGreaterThan(0);
    await engine.context(me, boats("after"));
    expect(await refOf(engine, "Boat.limit(4)")).toBe("pc1");
    await engine.close();

    await sh(restore);
    const restored = await openEngine({ dataDir });
    expect((await restored.describe(me, S0))["prompt"]).toBe(prompt);
    expect(await refOf(restored, "Boat.limit(3)")).toBe("pc0");
    expect(await refOf(restored, "Boat.limit(4)")).toBe("pc1");
    const { meta } = await restored.context(me, boats("after"));
    expect(meta["reused"]).toBe(false);
    await restored.close();
    rmSync(own, { recursive: true });
  });
});
