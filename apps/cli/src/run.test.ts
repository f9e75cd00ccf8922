import { afterEach, describe, expect, it, vi } from "vitest";
import { run } from "./run.ts";

afterEach(() => void vi.restoreAllMocks());

async function tried(args: readonly string[]) {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => {
    written.push(String(text));
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(write);
  vi.spyOn(process.stderr, "write").mockImplementation(write);
  vi.spyOn(console, "error").mockImplementation((text: string) => void written.push(text));
  const code = await run(args, {});
  return { code, text: written.join("") };
}

describe("exit codes (SURF-22)", () => {
  it.each([
    [["--version"], 0, /^\d+\.\d+\.\d+/],
    [["--help"], 0, /serve/],
    [["serve", "--help"], 0, /--catalogs/],
    [[], 2, /Usage: plasm/],
    [["sereve"], 2, /unknown command 'sereve'/],
    [["serve", "--prot", "1"], 2, /Did you mean --port\?/],
    [["serve", "--port", "x"], 2, /A port is a number from 0 to 65535/],
    [["serve", "--port", "70000"], 2, /A port is a number/],
    [["serve", "surplus"], 2, /too many arguments/],
    [["serve", "--catalogs"], 2, /argument missing/],
  ])("plasm %j: %i", async (args, code, said) => {
    const result = await tried(args);
    expect(result.code).toBe(code);
    expect(result.text).toMatch(said);
  });
});
