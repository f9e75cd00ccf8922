import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundle } from "../../tooling/bundle/index.mjs";

let directory = "";

beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "plasm-bundle-"))));
afterEach(() => rmSync(directory, { recursive: true }));

/** Makes a file of a program that is this function's body, and gives its path. */
const bundled = async (body, files = {}, more = {}) => {
  const start = `export async function start() { ${body} }\n`;
  const manifest = JSON.stringify({ name: "tried", engines: { node: "^22.19.0 || >=24" } });
  const all = { "src/start.ts": start, "package.json": manifest, ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  await bundle({ directory, entry: "src/start.ts", name: "tried", ...more });
  return join(directory, "dist/tried.mjs");
};

const run = (file, ...args) =>
  execFileSync(process.execPath, [file, ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, XDG_CACHE_HOME: join(directory, "caches") },
  });

const kept = () => readdirSync(join(directory, "caches/plasm/compiled")).toSorted();

describe("a program in one file", () => {
  it("says the same however often it was compiled before, whatever ends a comment in it", async () => {
    const file = await bundled(
      `console.log("a */ b", /^a*/.test("aa"), \`*/ \${process.argv[2]} é 漢 \\u2028\`, String.raw\`*\\/\`);`,
    );
    const said = "a */ b true */ serve é 漢 \u2028 *\\/\n";
    expect([run(file, "serve"), run(file, "serve")]).toEqual([said, said]);
    expect(kept()).toHaveLength(1);
    // Nothing in it ends a line but line feeds, and no byte of it has another meaning elsewhere.
    // oxlint-disable-next-line no-control-regex
    expect(readFileSync(file, "latin1")).toMatch(/^[\x00-\x0c\x0e-\x7f]*$/);
  });

  it("keeps regular expressions as they are written, so that none is made anew at each call", async () => {
    const file = await bundled(
      String.raw`const odd = (text) => /(?<=\p{L})\p{Surrogate}/u.test(text); console.log(odd("a"));`,
    );
    expect(readFileSync(file, "utf8")).toContain(String.raw`/(?<=\p{L})\p{Surrogate}/u`);
    expect(run(file)).toBe("false\n");
  });

  it("knows where it is, and finds packages from there", async () => {
    const file = await bundled(
      `const { url } = import.meta; console.log(url, import.meta.resolve("./x.js"), typeof (await import("node:sqlite")).DatabaseSync);`,
    );
    const [url, resolved, sqlite] = run(file).trim().split(" ");
    expect(url).toMatch(/^file:.*\/dist\/tried\.mjs$/);
    expect(resolved).toBe(url?.replace("tried.mjs", "x.js"));
    expect(sqlite).toBe("function");
  });

  it("keeps what each command has needed, and of all of it the newest sixteen", async () => {
    const file = await bundled("console.log(process.argv[2]);");
    const commands = [..."abcdefghijklmnopqr"];
    for (const command of commands) expect(run(file, command)).toBe(`${command}\n`);
    expect(kept()).toHaveLength(16);
    expect(kept().some((name) => name.startsWith("tried-r-"))).toBe(true);
    run(file, "--help");
    run(file, "../../outside");
    expect(kept().every((name) => /^tried-[a-z]+-[0-9a-f]+-[0-9a-f]+-\d+$/.test(name))).toBe(true);
  });

  it("has parts that are compiled when they are first asked for, each kept for itself", async () => {
    const body = `
      console.log("begun");
      if (process.argv[2] === "all") {
        const { value } = await import("an-esm");
        const { default: whole } = await import("a-cjs/deep");
        console.log(value, whole.value, whole.other === value);
      }`;
    const packages = {
      "node_modules/an-esm/package.json": JSON.stringify({ version: "1.0.0", type: "module" }),
      "node_modules/an-esm/index.js": 'console.log("esm runs"); export const value = "from ESM";',
      "node_modules/a-cjs/package.json": JSON.stringify({ version: "1.0.0" }),
      "node_modules/a-cjs/deep.js":
        'module.exports = { value: "from CJS", other: require("an-esm").value };',
    };
    const file = await bundled(body, packages, { parts: ["an-esm", "a-cjs/deep", "not-asked"] });
    expect(run(file, "none")).toBe("begun\n");
    expect(kept()).toHaveLength(1);
    expect(run(file, "all")).toBe("begun\nesm runs\nfrom ESM from CJS true\n");
    expect(run(file, "all")).toBe("begun\nesm runs\nfrom ESM from CJS true\n");
    expect(kept().map((name) => name.replace(/-[0-9a-f]+-[0-9a-f]+-\d+$/, ""))).toEqual([
      "tried-all",
      "tried-none",
      "tried-part.a.cjs.deep",
      "tried-part.an.esm",
    ]);
    const program = readFileSync(file, "latin1");
    expect(program.split("from ESM")).toHaveLength(2);
  });

  it("has data for a part, too", async () => {
    const packages = {
      "node_modules/data/package.json": JSON.stringify({ version: "1.0.0" }),
      "node_modules/data/all.json": JSON.stringify({ default: 1, class: "é", list: [{ a: null }] }),
    };
    const body = `
      const { default: data } = await import("data/all.json", { with: { type: "json" } });
      console.log(JSON.stringify(data));`;
    const file = await bundled(body, packages, { parts: ["data/all.json"] });
    expect(run(file)).toBe('{"default":1,"class":"é","list":[{"a":null}]}\n');
  });

  it("names the lines of the file in stacks, in its parts, too", async () => {
    const packages = {
      "node_modules/a-part/package.json": JSON.stringify({ version: "1.0.0" }),
      "node_modules/a-part/index.js": "exports.stack = () => new Error('here').stack;",
    };
    const body = 'const { stack } = await import("a-part"); console.log(stack());';
    const file = await bundled(body, packages, { parts: ["a-part"] });
    const [, line] = /tried\.mjs:(\d+):/.exec(run(file)) ?? [];
    const lines = readFileSync(file, "latin1").split("\n");
    expect(lines[Number(line) - 1]).toContain('new Error("here")');
  });

  it("runs nothing that was changed after it was built, and says so", async () => {
    const file = await bundled('console.log("first of all");');
    writeFileSync(file, readFileSync(file, "latin1").replace("first of all", "first of ALL"));
    const { stderr, stdout } = spawnSync(process.execPath, [file], { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["", expect.stringContaining("is not as it was built")]);
  });

  it("tells the program what it is made of, another with each change", async () => {
    const told = async (more) => run(await bundled(`console.log(import.meta.engine); ${more}`));
    const [one, again, other] = [
      await told(""),
      await told(""),
      await told("globalThis.more = 1;"),
    ];
    expect(one).toMatch(/^[0-9a-f]{64}-[0-9a-f]+-\d+\n$/);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it("takes other texts for modules that it can do without", async () => {
    const packages = {
      "node_modules/words/package.json": JSON.stringify({ version: "1.0.0", type: "module" }),
      "node_modules/words/all/index.js":
        'export * as a from "./a.js"; export * as b from "./b.js";',
      "node_modules/words/all/a.js": "export const text = 'first';",
      "node_modules/words/all/b.js": "export const text = 'second';",
    };
    const instead = { "words/all/index.js": 'export * as a from "./a.js";' };
    const body = 'console.log(Object.keys(await import("words/all/index.js")).join());';
    expect(run(await bundled(body, packages))).toBe("a,b\n");
    expect(run(await bundled(body, packages, { instead }))).toBe("a\n");
  });

  it("is not made of letters that Node would read otherwise; they are told, with their place", async () => {
    await expect(bundled('console.log(/^[^=·]+$/u.test("a"));')).rejects.toThrow(
      /holds "·", in .*\/\^\[\^=·\].*write \\u00b7 there/,
    );
  });

  it("is not made where it would need a module beside it", async () => {
    const asked = bundled('try { require("not-beside-it"); } catch { /* without */ }');
    await expect(asked).rejects.toThrow("src/start.ts is not whole without not-beside-it");
    await expect(bundled('await import("not-there");')).rejects.toThrow("not-there");
  });

  it("comes with the licences of the packages in it, and of no others", async () => {
    const manifest = (name) => JSON.stringify({ name, version: "1.2.3", license: "ISC" });
    await bundled('const { value } = await import("used"); console.log(value);', {
      "node_modules/used/package.json": manifest("used"),
      "node_modules/used/index.js": "exports.value = 1;",
      "node_modules/used/LICENSE": "May be used.",
      "node_modules/unused/package.json": manifest("unused"),
    });
    const licences = readFileSync(join(directory, "dist/licences.txt"), "utf8");
    expect(licences).toBe("── used 1.2.3 (ISC)\n\nMay be used.\n");
  });
});
