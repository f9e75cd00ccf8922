import { describe, expect, it } from "vitest";
import { backendSettings, type Started, startMessage, unshownRemarks } from "./start-message.ts";

const started: Started = {
  version: "1.2.3",
  url: "http://127.0.0.1:3000",
  consoleUrl: "http://127.0.0.1:3000/console/",
  dataDir: "/data",
  storePlace: null,
  auth: { mode: "off", issuers: [] },
  directories: ["/catalogs/quay", "/catalogs/yard"],
  named: ["--catalogs", "/catalogs/quay", "--catalogs", "/catalogs/yard"],
  loaded: ["quay", "yard"],
  remarks: [],
  program: { node: "/bin/node", script: "/app/main.js" },
  first: { api: "quay", entity: "Boat" },
  backends: {},
  beside: [],
};

const lines = (message: string): readonly string[] => message.split("\n");

describe("the start message", () => {
  it("says addresses, data, catalogs, configurations and a first session", () => {
    expect(lines(startMessage(started))).toEqual([
      "Plasm 1.2.3: HTTP http://127.0.0.1:3000 · MCP http://127.0.0.1:3000/mcp",
      "Console: http://127.0.0.1:3000/console/",
      "Data: /data",
      "Catalogs: quay, yard",
      "",
      "Claude Code: claude mcp add --transport http plasm http://127.0.0.1:3000/mcp",
      "MCP client configuration, HTTP:",
      '{"mcpServers":{"plasm":{"type":"http","url":"http://127.0.0.1:3000/mcp"}}}',
      "MCP client configuration, stdio:",
      '{"mcpServers":{"plasm":{"command":"/bin/node","args":["/app/main.js","serve","--stdio","--data","/data","--catalogs","/catalogs/quay","--catalogs","/catalogs/yard"]}}}',
      "",
      "A first session, to paste into sh:",
      `S=$(curl -sS -o /dev/null -w '%{redirect_url}' -H 'content-type: application/json' -d '{"seeds":[{"api":"quay","entity":"Boat"}]}' http://127.0.0.1:3000/execute)`,
      `curl -sS -H 'accept: text/plain' "$S"`,
      `curl -sS -H 'accept: text/plain' -H 'content-type: text/plain' -d 'Boat.limit(5)' "$S"`,
      "",
      "The command line, in another shell: alias plasm='PLASM_DATA=/data /bin/node /app/main.js'",
      "Ctrl-C ends it.",
    ]);
  });

  it("has the backends in the stdio configuration: a host starts it without this environment", () => {
    const backends = { PLASM_BACKEND_QUAY: "http://127.0.0.1:4900" };
    expect(startMessage({ ...started, backends })).toContain(
      '"--catalogs","/catalogs/yard"],"env":{"PLASM_BACKEND_QUAY":"http://127.0.0.1:4900"}}}}',
    );
  });

  it("says how callers prove who they are, and has a place for their key", () => {
    const auth = { mode: "required", issuers: ["https://id.example"] };
    const message = startMessage({ ...started, auth });
    expect(lines(message)[3]).toBe(
      "Authentication: required (API keys; tokens of https://id.example)",
    );
    expect(message).toContain(
      '"url":"http://127.0.0.1:3000/mcp","headers":{"X-API-Key":"YOUR KEY"}',
    );
    expect(message.split('curl -sS -H "x-api-key: $PLASM_API_KEY"')).toHaveLength(4);
    expect(lines(message).length).toBeLessThanOrEqual(25);
  });

  it("has no alias where the command is installed, and one that stands blanks elsewhere", () => {
    const of = (script: string) =>
      startMessage({ ...started, program: { node: "/bin/node", script } });
    expect(of("/usr/local/bin/plasm")).not.toContain("alias");
    expect(of("/my apps/plasm.mjs")).toContain(`/bin/node "/my apps/plasm.mjs"'`);
  });

  it("says where sessions are when replicas share them", () => {
    const storePlace = "PostgreSQL at db:5432, database plasm";
    expect(lines(startMessage({ ...started, storePlace }))[2]).toBe(
      "Data: /data; sessions and results: PostgreSQL at db:5432, database plasm",
    );
  });

  it("has at most 25 lines, whatever there is to remark", () => {
    const remarks = Array.from({ length: 50 }, (_, index) => `c${index}: not loaded`);
    const loaded = Array.from({ length: 500 }, (_, index) => `c${index}`);
    const message = startMessage({ ...started, loaded, remarks });
    expect(lines(message).length).toBeLessThanOrEqual(25);
    expect(message).toContain("+44 more in the log");
    const beside = ["Sample APIs: quay · yard", "Log: /data/plasm.log"];
    const more = startMessage({ ...started, loaded, remarks, beside });
    expect(lines(more).length).toBeLessThanOrEqual(25);
    expect(more).toContain("+46 more in the log");
    expect(unshownRemarks({ remarks, beside })).toEqual(remarks.slice(4));
    expect(message).toContain("c19, +480");
  });

  it("has no session to paste when no catalog has rows", () => {
    const message = startMessage({ ...started, directories: [], loaded: [], first: null });
    expect(message).toContain("Catalogs: none; --catalogs DIR or --api DOCUMENT offers some");
    expect(message).not.toContain("curl");
  });

  it("names the directories that hold no catalog", () => {
    const message = startMessage({ ...started, directories: ["/a", "/b"], loaded: [] });
    expect(message).toContain("Catalogs: none; nothing in /a, /b is a catalog");
    expect(message).toContain("domain.yaml");
  });
});

it("names the backends of loaded catalogs that were moved, and none with a secret in it", () => {
  const env = {
    PLASM_BACKEND_QUAY: "http://127.0.0.1:4900",
    PLASM_BACKEND_YARD: "http://me:pw@127.0.0.1:4901",
    PLASM_BACKEND_DEPOT: "http://127.0.0.1:4902/?key=abc",
    PLASM_BACKEND_ORCHARD: "http://127.0.0.1:4903",
    OTHER: "x",
  };
  expect(backendSettings(["quay", "yard", "depot"], env)).toEqual({
    PLASM_BACKEND_QUAY: "http://127.0.0.1:4900",
  });
  expect(backendSettings(["quay"], {})).toEqual({});
});
