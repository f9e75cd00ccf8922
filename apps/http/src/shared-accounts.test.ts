import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectServer } from "./testing/connect-server.ts";

let server: ConnectServer;
let ann: string;
let bob: string;
let cat: string;
beforeEach(async () => {
  server = await ConnectServer.start();
  ({ ann, bob } = await server.openFor());
  const added = { tenant: "acme", subject: "cat", role: "agent" } as const;
  cat = (await server.host.operators.keys.add(added)).key;
});
afterEach(() => server.close());

const as = (key: string) => ({ "x-api-key": key });

const post = (key: string, path: string, body: object) =>
  server.send(`/v1/accounts/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...as(key) },
    body: JSON.stringify({ entry_id: "quay", ...body }),
  });

/** Ann says who may use an account, beside her. */
async function share(account: string, users: readonly string[]): Promise<void> {
  const answer = await post(ann, "share", { account, users });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
}

/** What somebody is connected to. */
async function listOf(key: string): Promise<unknown> {
  const answer = await server.send("/v1/accounts", { headers: as(key) });
  const { catalogs } = (await answer.json()) as { catalogs: readonly { accounts: unknown }[] };
  return catalogs.map(({ accounts }) => accounts);
}

/** Ann signs in to an account of her own by the link of a run. */
async function connect(account: string): Promise<void> {
  const at = await server.session(as(ann), account, `see ${account}`);
  const { link } = await server.asked(at, as(ann));
  const begun = await server.press(link, ann);
  const back = await server.oauth.visit(begun.headers.get("location") ?? "", {
    name: `ann-${account}`,
  });
  expect((await server.back(back, begun)).status).toBe(200);
}

const openMcp = async (key: string, intent: string, account?: string) => {
  const seed = { api: "quay", entity: "Boat", ...(account === undefined ? {} : { account }) };
  const text = await server.callTool(key, "plasm_context", { intent, seeds: [seed] });
  return { text, ref: /logical_session_ref (s\d+)/.exec(text)?.[1] ?? text };
};

const PAINT = 'Boat("c1").update(note="painted")';

describe("RUN-184: an account that is shared with some users of a tenant", () => {
  it("serves those on the list, over both surfaces; plan and report say that it is shared", async () => {
    await connect("work");
    await share("work", ["bob"]);
    for (const key of [ann, bob]) {
      const seen = server.witness();
      const at = await server.session(as(key), undefined, "look");
      expect((await server.run(at, "Boat.limit(1)", as(key))).status).toBe(200);
      const { ref: slot, text } = await openMcp(key, "paint", "shared/work");
      expect(text).toContain("accounts: quay as shared/work");
      const call = { logical_session_ref: slot, program: PAINT };
      const planned = await server.callTool(key, "plasm", call);
      expect(planned).toContain("accounts: quay as shared/work");
      const ref = /pc\d+/.exec(planned)?.[0] ?? "";
      const alone = { logical_session_ref: slot, plan_commit_ref: ref };
      expect(await server.callTool(key, "plasm_run", alone)).toContain(
        "accounts: quay as shared/work",
      );
      expect(new Set(seen())).toEqual(new Set(["ann-work"]));
    }
  });

  it("stands in the tenant's audit log, and so does that it was revoked", async () => {
    await connect("work");
    await share("work", ["bob"]);
    expect((await post(ann, "revoke", { account: "shared/work" })).status).toBe(200);
    const all = { since: null, until: null, kind: null, subject: null, entryId: null, after: null };
    const { lines } = await server.host.operators.audit.page("acme", {
      ...all,
      limit: 100,
      order: "asc",
    });
    expect(lines.filter(({ kind }) => kind.startsWith("account_"))).toMatchObject([
      { kind: "account_shared", subject: "ann", target: "shared/work", detail: "with ann, bob" },
      { kind: "account_revoked", subject: "ann", target: "shared/work" },
    ]);
  });

  it("is there for nobody else, whatever they name: they are told the same as of one that there is not", async () => {
    await connect("work");
    const before = async (account: string): Promise<string> =>
      (await openMcp(cat, "paint", account)).text.replaceAll(account, "LABEL");
    const unknown = await before("shared/work");
    await share("work", ["bob"]);
    const seen = server.witness();
    expect(await before("shared/work")).toBe(unknown);
    expect(await before("shared/nope")).toBe(unknown);
    expect(unknown).toContain("no account LABEL that is shared with you");
    // And without a name they have none.
    const at = await server.session(as(cat), undefined, "look");
    const answer = await (await server.run(at, "Boat.limit(1)", as(cat))).text();
    expect(answer).toContain("quay is not connected");
    expect(answer).not.toContain("work");
    const listed = await (await server.send("/v1/registry", { headers: as(cat) })).text();
    expect(listed).not.toContain("shared/");
    expect(seen()).toEqual([]);
  });

  it("RUN-185: what somebody has planned with it is void once they are taken from the list, and nothing is sent", async () => {
    await connect("work");
    await share("work", ["bob"]);
    for (const account of [undefined, "shared/work"]) {
      await share("shared/work", ["bob"]);
      const { ref: slot } = await openMcp(bob, `paint ${account}`, account);
      const program = { logical_session_ref: slot, program: PAINT };
      const planned = await server.callTool(bob, "plasm", program);
      const ref = /pc\d+/.exec(planned)?.[0] ?? "";
      await share("shared/work", []);
      const seen = server.witness();
      const alone = { logical_session_ref: slot, plan_commit_ref: ref };
      expect(await server.callTool(bob, "plasm_run", alone)).toContain(
        "was planned for another account",
      );
      const both = { ...program, plan_commit_ref: ref };
      expect(await server.callTool(bob, "plasm_run", both)).toContain(
        `not run (unknown ref ${ref})`,
      );
      const forced = await server.callTool(bob, "plasm_run", { ...program, force: true });
      // Who has named it is told so; without a name there is none.
      expect(forced).toContain("nothing was sent");
      expect(forced.includes("no account unshared/work that is shared with you")).toBe(
        account !== undefined,
      );
      expect(seen()).toEqual([]);
    }
    // Those who stay on the list go on.
    const at = await server.session(as(ann), undefined, "look");
    expect((await server.run(at, "Boat.limit(1)", as(ann))).status).toBe(200);
  });

  it("one's own comes first, and what was planned with the shared one never runs with it", async () => {
    await connect("work");
    await share("work", ["bob"]);
    const { ref: slot } = await openMcp(ann, "paint");
    const planned = await server.callTool(ann, "plasm", {
      logical_session_ref: slot,
      program: PAINT,
    });
    const ref = /pc\d+/.exec(planned)?.[0] ?? "";
    await connect("work");
    const seen = server.witness();
    const alone = { logical_session_ref: slot, plan_commit_ref: ref };
    expect(await server.callTool(ann, "plasm_run", alone)).toContain(
      "was planned for another account",
    );
    expect(seen()).toEqual([]);
    expect(
      await server.callTool(ann, "plasm", { logical_session_ref: slot, program: PAINT }),
    ).toContain("accounts: quay as work");
  });

  it("nobody is asked to sign in for the others: its end names the command of who shares it", async () => {
    await connect("work");
    await share("work", ["bob"]);
    const at = await server.session(as(bob), undefined, "look");
    expect((await server.run(at, "Boat.limit(1)", as(bob))).status).toBe(200);
    server.oauth.endAccessTokens();
    server.oauth.refuses = { status: 400, error: "invalid_grant" };
    await server.run(at, "Boat.limit(1)", as(bob));
    const answer = await (await server.run(at, "Boat.limit(1)", as(bob))).text();
    expect(answer).not.toContain("/v1/connect/");
    expect(answer).toContain(
      "plasm auth login quay --catalogs DIRECTORY --account shared/work --tenant acme",
    );
  });
});

describe("RUN-186: accounts as their people see and change them", () => {
  it("lists one's own and what is shared with one, to nobody else", async () => {
    await connect("work");
    await connect("home");
    await share("work", ["bob"]);
    const shared = {
      account: "shared/work",
      whose: "tenant",
      shared: { by: "ann", users: ["ann", "bob"] },
    };
    const home = { account: "home", whose: "caller", may_change: true, shared: null };
    expect(await listOf(ann)).toMatchObject([[home, { ...shared, may_change: true }]]);
    expect(await listOf(bob)).toMatchObject([[{ ...shared, may_change: false }]]);
    expect(await listOf(cat)).toEqual([[]]);
  });

  it("nobody but the owner shares or revokes; what is another's is as what there is not", async () => {
    await connect("work");
    await connect("home");
    await share("work", ["bob"]);
    const answerTo = async (key: string, path: string, account: string) => {
      const answer = await post(key, path, {
        account,
        ...(path === "share" ? { users: ["cat"] } : {}),
      });
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      return [code, detail.replaceAll(account, "LABEL")];
    };
    for (const path of ["share", "revoke"]) {
      const unknown = await answerTo(cat, path, "nope");
      expect(unknown[0]).toBe("plasm-bad-request");
      for (const key of [bob, cat]) expect(await answerTo(key, path, "home")).toEqual(unknown);
      expect(await answerTo(cat, path, "shared/work")).toEqual(unknown);
      expect((await answerTo(bob, path, "shared/work"))[0]).toBe("plasm-policy-denied");
    }
    expect(await listOf(cat)).toEqual([[]]);
    expect(await listOf(ann)).toMatchObject([[{ account: "home" }, { account: "shared/work" }]]);
  });

  it("revokes at the provider, and forgets", async () => {
    await connect("work");
    await share("work", ["bob"]);
    const answer = await post(ann, "revoke", { account: "shared/work" });
    expect([answer.status, await answer.json()]).toEqual([200, { ended: true }]);
    expect([await listOf(ann), await listOf(bob)]).toEqual([[[]], [[]]]);
    const at = await server.session(as(bob), undefined, "look");
    expect(await (await server.run(at, "Boat.limit(1)", as(bob))).text()).toContain(
      "quay is not connected",
    );
  });

  it("signs in in the browser that asked, and in no other, and comes back to our page alone", async () => {
    const begin = async (key: string) => {
      const answer = await post(key, "sign-in", { account: "work" });
      const { url } = (await answer.clone().json()) as { url: string };
      return { answer, back: await server.oauth.visit(url, { name: "ann-work" }) };
    };
    const { answer, back } = await begin(ann);
    const others = await begin(bob);
    expect((await server.back(back)).status).toBe(403);
    expect((await server.back(back, others.answer)).status).toBe(403);
    expect(await listOf(ann)).toEqual([[]]);
    const done = await server.back(back, answer);
    expect([done.status, done.headers.get("location")]).toEqual([303, "/console/connections"]);
    expect(await listOf(ann)).toMatchObject([[{ account: "work", whose: "caller" }]]);
    expect(await listOf(bob)).toEqual([[]]);
    expect((await server.back(back, answer)).status).toBe(410);
    const refused = await post(ann, "sign-in", { account: "shared/work" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("no label"),
    ]);
    const unknown = await post(ann, "sign-in", { entry_id: "nowhere" });
    expect(unknown.status).toBe(404);
  });

  it("no token is in anything that is answered, and none is readable on disk", async () => {
    await connect("work");
    await share("work", ["bob"]);
    const texts = JSON.stringify([await listOf(ann), await listOf(bob)]);
    const audit = await readFile(join(server.directory, "data/credentials/audit.jsonl"), "utf8");
    expect(audit).toContain('"change":"shared"');
    for (const token of server.oauth.issued) {
      expect(texts).not.toContain(token);
      expect(audit).not.toContain(token);
    }
  });
});
