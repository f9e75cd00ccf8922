import { describe, expect, it } from "vitest";
import { runHere } from "./testing/run-here.ts";

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
    [["serve", "--stdio", "--port", "0"], 2, /'--stdio' cannot be used with option '--port/],
    [["approvals", "aprove", "x"], 2, /aprove is no command of plasm approvals: it is approve ID/],
    [["catalog", "validat"], 2, /Did you mean validate\?\)\nplasm catalog --help shows how\./],
  ])("plasm %j: %i", async (args, code, said) => {
    const { stdout, stderr, ...ended } = await runHere(args, { cwd: "/" });
    expect(ended.code).toBe(code);
    expect(code === 0 ? stdout : stderr).toMatch(said);
    expect(code === 0 ? stderr : stdout).toBe("");
  });

  it("help does not say of switches that they are off, and says where data is", async () => {
    const { stdout } = await runHere(["serve", "--help"], { cwd: "/" });
    expect(stdout).not.toContain("default: false");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "(default: $PLASM_DATA, else ~/.local/share/plasm)",
    );
  });
});
