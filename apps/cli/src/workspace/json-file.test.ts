import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { writeAtomically } from "./json-file.ts";

afterEach(cleanUp);

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe("SESS-39 files of the workspace (SURF-22)", () => {
  it("are for their owner alone, whatever they replace", async () => {
    const path = join(await temporaryDirectory(), "a", "b", "key.json");
    await writeAtomically(path, "one");
    expect([await modeOf(path), await modeOf(join(path, ".."))]).toEqual(["600", "700"]);
    const open = join(await temporaryDirectory(), "open.json");
    await writeFile(open, "old", { mode: 0o666 });
    await writeAtomically(open, "new");
    expect([await readFile(open, "utf8"), await modeOf(open)]).toEqual(["new", "600"]);
  });

  it("are seen whole by every reader, whoever writes", async () => {
    const path = join(await temporaryDirectory(), "session.json");
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(300_000));
    await writeAtomically(path, texts[0] ?? "");
    const seen = new Set<string>();
    let writing = true;
    const read = async (): Promise<void> => {
      while (writing) seen.add(await readFile(path, "utf8"));
    };
    const write = async (text: string): Promise<void> => {
      for (let count = 0; count < 20; count += 1) await writeAtomically(path, text);
    };
    const reading = read();
    await Promise.all(texts.map(write));
    writing = false;
    await reading;
    expect([...seen].filter((text) => !texts.includes(text))).toEqual([]);
    expect(await readdir(join(path, ".."))).toEqual(["session.json"]);
  });

  it("stand as they were when they cannot be replaced, and nothing is left beside them", async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, "taken", "inside"), { recursive: true });
    await expect(writeAtomically(join(directory, "taken"), "x")).rejects.toThrow(
      /EISDIR|ENOTEMPTY|EEXIST/,
    );
    expect(await readdir(directory)).toEqual(["taken"]);
  });

  it("replace a link, and leave alone what it leads to", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "elsewhere"), "precious");
    await symlink("elsewhere", join(directory, "link"));
    await writeAtomically(join(directory, "link"), "mine");
    expect(await readFile(join(directory, "elsewhere"), "utf8")).toBe("precious");
  });
});
