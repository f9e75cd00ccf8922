import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import { openKeys } from "@plasm/host";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { describe, expect, inject, test } from "vitest";
import { boatSession, call, post, startBoatEffects } from "../harness/boat-effects.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { type Endings, useStarted } from "../servers/endings.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const PASSWORD = "a-password-of-mail";
const ORIGIN = "https://plasm.example";
const LONG = 300_000;
/** What is promised. */
const TOLD_MS = 2_000;
const PATIENCE = { timeout: 60_000, interval: 20 };

interface Message {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A receiver that takes what a library of the scheme verifies, and may answer nothing. */
async function startReceiver({ add }: Endings) {
  const got: Message[] = [];
  const attempts: string[] = [];
  let isHung = false;
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      attempts.push(headers["webhook-id"] ?? "");
      const said = new Webhook(SECRET).verify(body, headers) as Message;
      if (isHung) return;
      got.push({ ...said, id: headers["webhook-id"] ?? "", at: Date.now() });
      response.writeHead(204).end();
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  add(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    got,
    attempts,
    url: `http://127.0.0.1:${port}/`,
    hang: (now: boolean) => (isHung = now),
  };
}

/** A mail server that knows one user. */
async function startMailServer({ add }: Endings) {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === "plasm" && password === PASSWORD) done(null, { user: "plasm" });
      else done(new Error("not this user"));
    },
    onData: (stream, _session, done) => {
      let mail = "";
      stream.on("data", (chunk) => (mail += String(chunk)));
      stream.on("end", () => {
        mails.push(mail);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  add(() => new Promise((resolve) => server.close(() => resolve(null))));
  const { port } = server.server.address() as AddressInfo;
  return { mails, url: `smtp://plasm@127.0.0.1:${port}` };
}

const world = useStarted(async (endings) => {
  const { add, directory } = endings;
  const database = await createDatabase(inject("postgresUrl"));
  add(() => database.drop());
  const api = await startBoatEffects();
  add(() => api.close());
  const hook = await startReceiver(endings);
  const mail = await startMailServer(endings);
  const files = await directory("plasm-notices");
  const policy = join(files, "policy.json");
  const asks = { apis: { quay: { approval: { operator: ["action"] } } } };
  await writeFile(policy, JSON.stringify({ default: asks }));
  const passwordFile = join(files, "password");
  await writeFile(passwordFile, PASSWORD);
  const env = {
    PLASM_BACKEND_QUAY: api.url,
    PLASM_TRANSPORT_ORIGIN: ORIGIN,
    PLASM_NOTIFY_WEBHOOK: hook.url,
    PLASM_NOTIFY_WEBHOOK_SECRET: SECRET,
    PLASM_NOTIFY_EMAIL: "olga@example.com",
    PLASM_NOTIFY_FROM: "plasm@example.com",
    PLASM_NOTIFY_PRIVATE: "on",
    PLASM_SMTP_URL: mail.url,
    PLASM_SMTP_PASSWORD_FILE: passwordFile,
  };
  const started: PlasmServer[] = [];
  const start = async (dataDir: string, more: Readonly<Record<string, string>> = {}) => {
    const server = await startPlasmServer({
      dataDir,
      catalogs: [fixtureCatalogDir("quay")],
      env: { ...env, PLASM_LOG: "info", ...more },
      args: ["--policy", policy],
    });
    started.push(server);
    add(() => server.kill());
    return server;
  };
  const operatorOf = async (dataDir: string, more: Readonly<Record<string, string>> = {}) => {
    const opened = await openKeys(dataDir, more);
    const { key } = await opened.keys.add({
      tenant: LOCAL.scope,
      subject: "olga",
      role: "operator",
    });
    await opened.close();
    return key;
  };
  return { api, database, hook, mail, start, started, operatorOf, directory };
});

/** A plan of one effect that waits; when it was answered that it does. */
async function ask({ url }: PlasmServer, boat: string): Promise<number> {
  const session = await boatSession(url, boat);
  const refused = await post(url, session, { program: `Boat("${boat}").ping()` });
  expect(refused.status, refused.text).toBe(409);
  return Date.now();
}

const toldOf = (type: string) => world().hook.got.filter((one) => one.type === type);

describe("OPS-50 people are told of what waits", () => {
  test(
    "by two replicas: each target once within 2 s, signed, with a link that decides nothing",
    async () => {
      const { database, hook, mail, start, operatorOf, directory } = world();
      const shared = { PLASM_DATABASE_URL: database.url };
      const key = await operatorOf(await directory("keys"), shared);
      const [one, other] = await Promise.all([
        start(await directory("one"), shared),
        start(await directory("other"), shared),
      ]);
      const asked = [await ask(one, "b-1")];
      await expect.poll(() => [hook.got.length, mail.mails.length], PATIENCE).toEqual([1, 1]);
      const [first] = hook.got;
      const uuid = String(first?.data["commit_uuid"]);
      const link = `${ORIGIN}/console/approvals/${uuid}`;
      expect(first).toMatchObject({
        type: "approval.requested",
        data: { tenant: LOCAL.scope, effects: 1, capabilities: ["quay.boat_ping"], url: link },
      });
      const mailed = mail.mails[0]?.replaceAll("=\r\n", "");
      expect(mailed).toContain(`Message-ID: <${first?.id}@plasm>`);
      expect(mailed).toContain(link);
      expect(mailed).not.toContain("b-1");

      // What a receiver has decides nothing: the link is a page, and the id no credential.
      const path = `/v1/approvals/${uuid}/approve`;
      expect((await call(one.url, "POST", path)).status).toBe(401);
      const page = await fetch(`${one.url}/console/approvals/${uuid}`);
      await page.arrayBuffer();
      const waits = await call(other.url, "GET", `/v1/approvals/${uuid}`, {
        headers: { "x-api-key": key },
      });
      expect(JSON.parse(waits.text)).toMatchObject({ state: "waiting" });

      const approved = await call(other.url, "POST", path, { headers: { "x-api-key": key } });
      expect(approved.status, approved.text).toBe(200);
      await expect.poll(() => toldOf("approval.decided").length, PATIENCE).toBe(1);
      expect(toldOf("approval.decided")[0]?.data).toMatchObject({
        verdict: "approved",
        decided_by: "olga",
      });

      for (let n = 0; n < 10; n += 1) {
        asked.push(await ask(n % 2 === 0 ? one : other, `many-${n}`));
      }
      await expect.poll(() => [hook.got.length, mail.mails.length], PATIENCE).toEqual([12, 12]);
      expect(new Set(hook.attempts).size).toBe(12);
      expect(hook.attempts).toHaveLength(12);
      // What else the machine does only adds to one, so the least of them counts.
      const told = toldOf("approval.requested").map(({ at }, n) => at - (asked[n] ?? 0));
      expect(Math.min(...told)).toBeLessThan(TOLD_MS);
      await Promise.all([one.stop(), other.stop()]);
    },
    LONG,
  );

  test(
    "after a kill in the middle of an attempt: once more, with the same id; and of a run that it left uncertain",
    async () => {
      const { api, hook, start, operatorOf, directory } = world();
      const dataDir = await directory("alone");
      await operatorOf(dataDir);
      const first = await start(dataDir);
      const before = hook.attempts.length;
      hook.hang(true);
      await ask(first, "b-2");
      await expect.poll(() => hook.attempts.length, PATIENCE).toBe(before + 1);
      const id = hook.attempts.at(-1);
      await first.kill();
      hook.hang(false);
      const second = await start(dataDir);
      await expect.poll(() => hook.got.some((one) => one.id === id), PATIENCE).toBe(true);
      expect(hook.attempts.slice(before)).toEqual([id, id]);

      // Approval is not asked for what policy leaves alone: an update of a note.
      api.hold();
      const session = await boatSession(second.url, "b-3");
      const program = 'Boat("b-3").update(note="painted")';
      const accepted = await post(second.url, session, { program, force: true, wait: false });
      expect(accepted.status, accepted.text).toBe(202);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await second.kill();
      api.letGo();
      await start(dataDir);
      await expect.poll(() => toldOf("run.uncertain").length, PATIENCE).toBe(1);
      expect(toldOf("run.uncertain")[0]?.data).toMatchObject({
        in_doubt: 1,
        effects: 1,
        capabilities: ["quay.boat_update"],
      });
    },
    LONG,
  );

  test("no secret of it stands in a log", () => {
    const all = world().started.map((server) => server.said());
    expect(all).toHaveLength(5);
    for (const said of all) {
      for (const secret of [SECRET, SECRET.slice(6), PASSWORD]) expect(said).not.toContain(secret);
    }
  });
});
