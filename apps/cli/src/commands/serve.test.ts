import { cp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, spawnPlasm, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

const onFreePort = (data: string, ...more: readonly string[]): readonly string[] =>
  ["serve", "--port=0", `--data=${data}`].concat(more);

const urlIn = (text: string): string => /HTTP (http:\/\/\S+)/.exec(text)?.[1] ?? "";

/** A directory of catalogs with a broken copy of quay in it, and the place of the fault. */
async function brokenCatalogs() {
  const directory = await temporaryDirectory();
  const broken = join(directory, "broken");
  await cp(fixture("quay"), broken, { recursive: true });
  const domain = join(broken, "domain.yaml");
  const text = await readFile(domain, "utf8");
  const address = "http://127.0.0.1:4801";
  const before = text.slice(0, text.indexOf(address)).split("\n");
  await writeFile(domain, text.replace(address, "nowhere"));
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { directory, broken, fault: `${domain}:${before.length}:${column}` };
}

describe("plasm serve over HTTP", () => {
  it("says in at most 25 lines what a newcomer needs, serves, and ends cleanly", async () => {
    const data = await temporaryDirectory();
    const args = onFreePort(data, "--catalogs", fixture("quay"));
    const plasm = spawnPlasm(args);
    const message = await plasm.said("Ctrl-C ends it.");
    expect(message.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
    expect(message).toContain(`Data: ${data}`);
    expect(message).toContain("Catalogs: quay");
    expect(message).toContain('{"mcpServers":{"plasm":{"type":"http"');
    expect(message).toContain('\'{"seeds":[{"api":"quay","entity":"Boat"}]}\'');
    const health = await fetch(`${urlIn(message)}/v1/health`);
    expect(await health.json()).toMatchObject({ status: "ok", store: { limit: 2 * 1024 ** 3 } });
    plasm.stop("SIGTERM");
    expect(await plasm.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it.each(["SIGINT", "SIGHUP"] as const)("ends cleanly on %s", async (signal) => {
    const plasm = spawnPlasm(onFreePort(await temporaryDirectory()));
    await plasm.said("Ctrl-C ends it.");
    plasm.stop(signal);
    expect(await plasm.ended).toMatchObject({ code: 0 });
  });

  it("serves the good catalogs, and says which one is broken and where", async () => {
    const { directory, fault } = await brokenCatalogs();
    const directories = ["--catalogs", fixture("quay"), "--catalogs", directory];
    const plasm = spawnPlasm(onFreePort(await temporaryDirectory(), ...directories));
    const message = await plasm.said("Ctrl-C ends it.");
    expect(message).toContain("Catalogs: quay\n");
    expect(message).toContain(`broken: not loaded, ${fault}`);
    plasm.stop("SIGTERM");
    await plasm.ended;
  });
});

describe("plasm serve with an empty directory", () => {
  it.each(["--data=", "--catalogs="])(
    "%s is misuse, not the current directory",
    async (argument) => {
      const args = ["serve", "--port", "0", argument];
      const { code, stdout, stderr } = await runHere(args, { cwd: "/" });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("It is empty. Name a directory.");
    },
  );
});

describe("plasm serve that cannot start says why, once, with exit code 1", () => {
  const oneLine = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await runHere(args, { cwd: "/" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    return stderr;
  };

  it("a taken port", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const data = await temporaryDirectory();
    const said = await oneLine(["serve", "--port", String(port), "--data", data]);
    expect(said).toContain(`127.0.0.1:${port} is taken`);
    expect(said).toContain("--port");
    other.close();
  });

  it("a data directory that cannot be written", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "file"), "");
    const data = join(directory, "file", "data");
    expect(await oneLine(onFreePort(data))).toContain(`${data} cannot be used`);
  });

  it("a catalog directory that does not exist", async () => {
    const data = await temporaryDirectory();
    const said = await oneLine(onFreePort(data, "--catalogs", join(data, "none")));
    expect(said).toContain(`${join(data, "none")} does not exist`);
  });

  it("a catalog that is named and broken", async () => {
    const { broken, fault } = await brokenCatalogs();
    const said = await oneLine(onFreePort(await temporaryDirectory(), "--catalogs", broken));
    expect(said).toContain(fault);
  });

  it("an address that others could call", async () => {
    const data = await temporaryDirectory();
    const said = await oneLine(onFreePort(data, "--host", "0.0.0.0"));
    expect(said).toContain("not a loopback address");
  });
});
