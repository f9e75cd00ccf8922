import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, test } from "vitest";
import { boatSession, call, post, startBoatEffects } from "../harness/boat-effects.ts";
import { plasmCommand } from "../harness/plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { runProcess } from "../harness/run-process.ts";
import { useStarted } from "../servers/endings.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };
const LONG = 300_000;
const SESSION = "/v1/console/session";

/** Two processes that share nothing but a PostgreSQL, and the key of an operator. */
const world = useStarted(async (endings) => {
  const database = await createDatabase(inject("postgresUrl"));
  endings.add(() => database.drop());
  const api = await startBoatEffects();
  endings.add(() => api.close());
  const shared = { PLASM_DATABASE_URL: database.url };
  const cwd = await endings.directory("keys");
  const add = plasmCommand(["keys", "add", "--subject", "olga"], { PLASM_DATA: cwd, ...shared });
  const key = (await runProcess(add, cwd)).stdout.trim();
  const start = async (name: string) => {
    const server = await startPlasmServer({
      dataDir: await endings.directory(name),
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: api.url, ...shared },
    });
    endings.add(() => server.kill());
    return server;
  };
  return { api, key, start };
});

afterEach(() => world().api.letGo());

/** A browser that is signed in, on whichever process it comes to. */
async function signedIn({ url }: PlasmServer, key: string) {
  const headers = { origin: url, "x-plasm-console": "sign-in", authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}${SESSION}`, { method: "POST", headers, body: "{}" });
  const [, value = ""] = /=([^;]*)/.exec(answer.headers.get("set-cookie") ?? "") ?? [];
  const { page_token: token } = (await answer.json()) as { readonly page_token: string };
  return (server: PlasmServer, method: string, path: string) =>
    call(server.url, method, path, {
      headers: {
        origin: server.url,
        cookie: `plasm_console_${server.port}=${value}`,
        "x-plasm-console": token,
      },
    });
}

interface Row {
  readonly operation_uuid: string;
  readonly state: string;
  readonly cancel?: string;
}
const rowsIn = ({ text }: { readonly text: string }): readonly Row[] =>
  (JSON.parse(text) as { readonly operations: readonly Row[] }).operations;

describe("OPS-70 the console over two processes on one PostgreSQL", () => {
  test(
    "cancels what the other one runs, which does no effect after that, and both tell so",
    async () => {
      const { api, key, start } = world();
      const one = await start("one");
      api.holdAll();
      const session = await boatSession(one.url, "cancelled");
      const program = 'boats = Boat\nBoat("cancelled").ping()\nboats[id]';
      const accepted = await post(one.url, session, { program, force: true, wait: false });
      expect(accepted.status, accepted.text).toBe(202);
      await expect.poll(api.reads, PATIENCE).toBe(1);
      const other = await start("other");
      const browse = await signedIn(other, key);
      const [row] = rowsIn(await browse(other, "GET", "/v1/operations?state=unfinished"));
      const at = `/v1/operations/${row?.operation_uuid}`;
      const began = performance.now();
      const cancelled = await browse(other, "POST", `${at}/cancel`);
      expect(cancelled.status, cancelled.text).toBe(200);
      expect(JSON.parse(cancelled.text)).toMatchObject({ cancel: "requested" });
      // The API never answers: whoever runs it stops waiting for that.
      const stateAt = async (server: PlasmServer): Promise<string> =>
        (JSON.parse((await browse(server, "GET", at)).text) as Row).state;
      await expect.poll(() => stateAt(one), PATIENCE).toBe("cancelled");
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(await stateAt(other)).toBe("cancelled");
      api.letGo();
      const again = await browse(one, "POST", `${at}/cancel`);
      expect(JSON.parse(again.text)).toMatchObject({ cancel: "ended_before", state: "cancelled" });
      const lists = await Promise.all(
        [one, other].map((server) => browse(server, "GET", "/v1/operations?state=cancelled")),
      );
      for (const list of lists) expect(rowsIn(list)).toMatchObject([{ state: "cancelled" }]);
      const audit = await browse(one, "GET", "/v1/audit?kind=operation_cancelled");
      expect(JSON.parse(audit.text)).toMatchObject({ lines: [{ subject: "olga" }] });
      expect(api.performed).toEqual([]);
    },
    LONG,
  );

  test(
    "a sign-in holds on both, after the one it was made on was killed, and ends on both",
    async () => {
      const { key, start } = world();
      const [first, second] = [await start("first"), await start("second")];
      const browse = await signedIn(first, key);
      expect((await browse(second, "GET", SESSION)).status).toBe(200);
      await first.kill();
      const next = await start("next");
      expect((await browse(next, "GET", "/v1/approvals")).status).toBe(200);
      expect((await browse(next, "DELETE", SESSION)).status).toBe(200);
      expect((await browse(second, "GET", SESSION)).status).toBe(401);
    },
    LONG,
  );
});
