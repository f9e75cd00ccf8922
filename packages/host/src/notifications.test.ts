import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Notice } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { wordsFor } from "./notice-words.ts";
import { notificationsFrom } from "./notifications.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const ORIGIN = "https://plasm.example";
const HOOK = {
  PLASM_NOTIFY_WEBHOOK: "https://hooks.example/plasm?key=hidden",
  PLASM_NOTIFY_WEBHOOK_SECRET: SECRET,
};
const MAIL = {
  PLASM_NOTIFY_EMAIL: "ops@example.com, Olga@example.com",
  PLASM_NOTIFY_FROM: "plasm@example.com",
  PLASM_SMTP_URL: "smtp://plasm:hidden@mail.example",
};

const NOTICE: Notice = {
  id: "msg_1",
  type: "approval.requested",
  at: "2026-03-01T09:00:00.000Z",
  tenant: "acme",
  subject: "ann",
  acting_for: null,
  commit_uuid: "7d8e",
  plan_commit_ref: "pc1",
  operation_uuid: null,
  effects: 2,
  capabilities: ["quay.boat_delete"],
  expires_at: "2026-03-02T09:00:00.000Z",
  verdict: null,
  decided_by: null,
  in_doubt: 0,
  watch: null,
};

const namesOf = (env: Readonly<Record<string, string>>) =>
  notificationsFrom(env, ORIGIN).targets.map(({ name }) => name);

describe("OPS-51 settings of notices", () => {
  it("nobody is told unless a setting says so", () => {
    expect(notificationsFrom({}, undefined).targets).toEqual([]);
    expect(namesOf({ ...HOOK })).toEqual(["webhook"]);
    expect(namesOf({ ...HOOK, ...MAIL })).toEqual(["webhook", "email"]);
  });

  it("a secret may stand in a file", () => {
    const file = join(mkdtempSync(join(tmpdir(), "plasm-notify-")), "secret");
    writeFileSync(file, `${SECRET}\n`);
    const { PLASM_NOTIFY_WEBHOOK } = HOOK;
    const env = { PLASM_NOTIFY_WEBHOOK, PLASM_NOTIFY_WEBHOOK_SECRET_FILE: file };
    expect(namesOf(env)).toEqual(["webhook"]);
    expect(() => namesOf({ ...env, ...HOOK })).toThrow("not both");
    expect(() => namesOf({ ...env, PLASM_NOTIFY_WEBHOOK_SECRET_FILE: `${file}.gone` })).toThrow(
      "PLASM_NOTIFY_WEBHOOK_SECRET_FILE cannot be read (ENOENT)",
    );
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["http", { ...HOOK, PLASM_NOTIFY_WEBHOOK: "http://a.example" }, "must be an https address"],
    [
      "a user in it",
      { ...HOOK, PLASM_NOTIFY_WEBHOOK: "https://hidden@a.example" },
      "must be an https address",
    ],
    ["no secret", { ...HOOK, PLASM_NOTIFY_WEBHOOK_SECRET: "" }, "_SECRET must be whsec_ and 24"],
    [
      "a short secret",
      { ...HOOK, PLASM_NOTIFY_WEBHOOK_SECRET: "whsec_aGlkZGVu" },
      "_SECRET must be whsec_ and 24",
    ],
    ["no address", { ...MAIL, PLASM_NOTIFY_EMAIL: "olga" }, "must list mail addresses"],
    [
      "a second header",
      { ...MAIL, PLASM_NOTIFY_EMAIL: "a@b.example\nbcc:c@d.example" },
      "must list mail addresses",
    ],
    ["no sender", { ...MAIL, PLASM_NOTIFY_FROM: "" }, "needs PLASM_NOTIFY_FROM"],
    ["no server", { ...MAIL, PLASM_SMTP_URL: "mail.example" }, "needs PLASM_SMTP_URL"],
    ["a misspelt switch", { ...HOOK, PLASM_NOTIFY_PRIVATE: "yes" }, "must be off or on"],
  ])("refuses %s", (_, env, said) => {
    expect(() => namesOf(env)).toThrow(said);
    expect(() => namesOf(env)).not.toThrow("hidden");
  });

  it("links need to know where people reach this server", () => {
    expect(() => notificationsFrom(HOOK, undefined)).toThrow("needs PLASM_TRANSPORT_ORIGIN");
  });
});

describe("OPS-49 words of notices", () => {
  it("link to the page that decides, which a name cannot change", () => {
    const words = wordsFor(ORIGIN)({ ...NOTICE, commit_uuid: "../x?y#z" });
    expect(words.url).toBe(`${ORIGIN}/console/approvals/..%2Fx%3Fy%23z`);
  });

  it("no name that somebody chose ends a line or turns the text round", () => {
    const hostile = "ann\r\nBcc: all@example.com\u202e";
    const { subject, text } = wordsFor(ORIGIN)({ ...NOTICE, subject: hostile, tenant: hostile });
    expect(text.split("\n")).toHaveLength(3);
    expect(`${subject}${text}`).not.toMatch(/[\r\u202e]/);
  });
});

it("OPS-51 a private address is told of nothing unless the setting allows it", async () => {
  const got: string[] = [];
  const server = createServer((request, response) => {
    got.push(request.url ?? "");
    response.writeHead(302, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const signal = AbortSignal.timeout(5_000);
  const env = {
    ...HOOK,
    ...MAIL,
    PLASM_NOTIFY_WEBHOOK: `https://127.0.0.1:${port}/`,
    PLASM_SMTP_URL: `smtp://localhost:${port}`,
  };
  const guarded = notificationsFrom(env, ORIGIN);
  for (const target of guarded.targets) {
    await expect(target.send(NOTICE, signal)).rejects.toThrow("PLASM_NOTIFY_PRIVATE=on allows");
  }
  const open = notificationsFrom(
    { ...env, PLASM_NOTIFY_WEBHOOK: `http://127.0.0.1:${port}/`, PLASM_NOTIFY_PRIVATE: "on" },
    ORIGIN,
  );
  await expect(open.targets[0]?.send(NOTICE, signal)).rejects.toThrow("answered 302");
  expect(got).toEqual(["/"]);
  await Promise.all([guarded.close(), open.close()]);
  server.close();
});
