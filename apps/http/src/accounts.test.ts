import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectServer } from "./testing/connect-server.ts";

type Fields = Readonly<Record<string, string>>;

let server: ConnectServer;
beforeEach(async () => {
  server = await ConnectServer.start();
});
afterEach(() => server.close());

const status = async (answer: Promise<Response>): Promise<number> => (await answer).status;

/** Signs a person in by the link of a run; `person` is whom the provider takes it for. */
async function connect(at: string, key: string, person: string, account?: string): Promise<string> {
  const { link, ref } = await server.asked(at, { "x-api-key": key });
  const asked = /quay(?: account \w+)?(?= as )/.exec(await (await server.send(link)).text())?.[0];
  const begun = await server.press(link, key);
  const back = await server.oauth.visit(begun.headers.get("location") ?? "", { name: person });
  const done = await server.back(back, begun);
  // Both pages say which account it is.
  const label = account === undefined ? "quay" : `quay account ${account}`;
  expect([asked, done.status, await done.text()]).toEqual([
    label,
    200,
    expect.stringContaining(`signed in to ${label}.`),
  ]);
  return ref;
}

const as = (key: string): Fields => ({ "x-api-key": key });

/** Removes what is stored under a key, as an operator would. */
async function forget(key: string): Promise<void> {
  const directory = join(server.directory, "data", "credentials");
  for (const name of (await readdir(directory)).filter((one) => one.endsWith(".json"))) {
    const path = join(directory, name);
    const record = JSON.parse(await readFile(path, "utf8")) as { key: string };
    if (record.key === key) await rm(path);
  }
}

const seedsOf = (account?: string) => [
  { api: "quay", entity: "Boat", ...(account === undefined ? {} : { account }) },
];

const openMcp = async (key: string, intent: string, account?: string) => {
  const text = await server.callTool(key, "plasm_context", { intent, seeds: seedsOf(account) });
  return { text, ref: /logical_session_ref (s\d+)/.exec(text)?.[1] ?? text };
};

/** What a caller without a key is told who names an account, where `home` is the only one. */
async function named(account: string): Promise<string> {
  const body = JSON.stringify({ seeds: seedsOf(account), intent: "paint" });
  const headers = { "content-type": "application/json" };
  return (await server.send("/execute", { method: "POST", headers, body })).text();
}

/** Stores an account of whoever is at this machine. */
const storeHome = () =>
  server.store(
    { key: "plasm:outbound:v1:catalog:quay@home", tenant: null, principal: null },
    { version: 1, entry_id: "quay", access_token: "at-home" },
  );

describe("RUN-129: accounts of a session", () => {
  it("the one that a seed names is connected and used, on both surfaces, and no token of another ever", async () => {
    const { ann, bob } = await server.openFor();
    const people = [
      ["ann", ann],
      ["bob", bob],
    ] as const;
    const sessions: { key: string; at: string; slot: string; person: string }[] = [];
    for (const [name, key] of people) {
      for (const account of ["home", "work"]) {
        const person = `${name}-${account}`;
        const at = await server.session(as(key), account, `see ${account}`);
        const ref = await connect(at, key, person, account);
        const seen = server.witness();
        expect(await status(server.runRef(at, ref, as(key)))).toBe(200);
        expect(seen()).toEqual([person]);
        const { ref: slot, text } = await openMcp(key, `look at ${account}`, account);
        expect(text).toContain(`accounts: quay as ${account}`);
        sessions.push({ key, at, slot, person });
      }
    }
    // Each of them again, in any order, over both surfaces.
    for (const { key, at, slot, person } of [...sessions, ...sessions.toReversed()]) {
      const seen = server.witness();
      expect(await status(server.run(at, "Boat.limit(1)", as(key)))).toBe(200);
      const args = { logical_session_ref: slot, program: "Boat.limit(1)" };
      expect(await server.callTool(key, "plasm_run", args)).toContain("c1");
      expect(seen()).toEqual([person, person]);
    }
    // Nobody sees a session or a label of another.
    const seen = server.witness();
    for (const { key, at } of sessions) {
      const other = key === ann ? bob : ann;
      expect(await status(server.run(at, "Boat.limit(1)", as(other)))).toBe(404);
    }
    expect(seen()).toEqual([]);
  });

  it("of several none is guessed: the question names them, and nothing is sent", async () => {
    const { ann, bob } = await server.openFor();
    for (const account of ["home", "work"]) {
      const at = await server.session(as(ann), account, `see ${account}`);
      await connect(at, ann, `ann-${account}`, account);
    }
    const seen = server.witness();
    const at = await server.session(as(ann), undefined, "which one");
    const answer = await (await server.run(at, "Boat.limit(1)", as(ann))).text();
    expect(answer).toContain("quay has the accounts home, work");
    expect(answer).toContain("not run: nothing was sent");
    // No ref: what is planned once one is named is for that one.
    expect(answer).not.toContain("plan_commit_ref");
    const { detail: question } = JSON.parse(answer) as { detail: string };
    expect(question).toContain("then send the program again");
    expect(question).toContain("quay@home:Boat");
    expect(question).not.toContain("plasm_context");
    // Another principal hears of none of them.
    const { detail } = (await (
      await server.run(
        await server.session(as(bob), undefined, "which one"),
        "Boat.limit(1)",
        as(bob),
      )
    ).json()) as { detail: string };
    expect(detail).toContain("quay is not connected");
    expect(detail).not.toContain("home");
    expect(seen()).toEqual([]);
    // The seed of the text is taken as it stands.
    const { account } = JSON.parse(/\{"api".*?\}/.exec(question)?.[0] ?? "") as { account: string };
    const named = await server.session(as(ann), account, "which one");
    expect(await status(server.run(named, "Boat.limit(1)", as(ann)))).toBe(200);
    expect(seen()).toEqual(["ann-home"]);
  });

  it("a session keeps its account, and what was planned for one never runs for another", async () => {
    const { ann } = await server.openFor();
    const at = await server.session(as(ann), undefined, "first");
    const ref = await connect(at, ann, "ann-own");
    await connect(await server.session(as(ann), "work", "other"), ann, "ann-work", "work");
    await forget("plasm:outbound:v1:catalog:quay");
    // The only account there is now is another one than what the ref was planned for.
    const seen = server.witness();
    const blocked = await server.runRef(at, ref, as(ann));
    expect([blocked.status, await blocked.text()]).toEqual([
      409,
      expect.stringContaining(`${ref} was planned for another account`),
    ]);
    expect(seen()).toEqual([]);
    const kept = await server.session(as(ann), "work", "second");
    expect(await status(server.run(kept, "Boat.limit(1)", as(ann)))).toBe(200);
    const body = JSON.stringify({ intent: "second", seeds: seedsOf("home") });
    const headers = { "content-type": "application/json", ...as(ann) };
    const changed = await server.send("/execute", { method: "POST", headers, body });
    expect([changed.status, await changed.text()]).toEqual([
      400,
      expect.stringContaining("This session uses quay as work"),
    ]);
  });

  it("effects say for which account they are, in plan and report", async () => {
    const { ann } = await server.openFor();
    const at = await server.session(as(ann), "work", "connect");
    await connect(at, ann, "ann-work", "work");
    const { ref: slot } = await openMcp(ann, "paint", "work");
    const program = 'Boat("c1").update(note="painted")';
    const call = { logical_session_ref: slot, program };
    const planned = await server.callTool(ann, "plasm", call);
    expect(planned).toContain("accounts: quay as work");
    const ref = /pc\d+/.exec(planned)?.[0] ?? "";
    const seen = server.witness();
    const ran = await server.callTool(ann, "plasm_run", {
      logical_session_ref: slot,
      plan_commit_ref: ref,
    });
    expect(ran).toContain("accounts: quay as work");
    expect(seen()).toEqual(["ann-work"]);
  });

  it("an effect that was planned for another account is not sent, with its program and ref neither", async () => {
    const { ann } = await server.openFor();
    await connect(await server.session(as(ann), undefined, "first"), ann, "ann-own");
    const { ref: slot } = await openMcp(ann, "paint");
    const program = 'Boat("c1").update(note="painted")';
    const planned = await server.callTool(ann, "plasm", { logical_session_ref: slot, program });
    expect(planned).not.toContain("accounts:");
    const ref = /pc\d+/.exec(planned)?.[0] ?? "";
    await connect(await server.session(as(ann), "work", "other"), ann, "ann-work", "work");
    await forget("plasm:outbound:v1:catalog:quay");
    const seen = server.witness();
    const both = { logical_session_ref: slot, program, plan_commit_ref: ref };
    const blocked = await server.callTool(ann, "plasm_run", both);
    expect(blocked).toContain(`not run (unknown ref ${ref})`);
    const alone = { logical_session_ref: slot, plan_commit_ref: ref };
    expect(await server.callTool(ann, "plasm_run", alone)).toContain(
      "was planned for another account",
    );
    expect(seen()).toEqual([]);
    const fresh = /plan_commit_ref=(pc\d+)/.exec(blocked)?.[1] ?? "";
    expect(fresh).not.toBe(ref);
    await server.callTool(ann, "plasm_run", { ...both, plan_commit_ref: fresh });
    expect(seen()).toEqual(["ann-work"]);
  });

  it("a label that there is not binds no intent, where people sign in to no new account", async () => {
    const { ann, bob } = await server.openFor({
      PLASM_CREDENTIALS: "user",
      PLASM_OAUTH_HARBOUR_ID_ISSUER: "",
    });
    const key = "plasm:outbound:v1:catalog:quay";
    const home = { key: `${key}@home`, tenant: "acme", principal: "ann" };
    await server.store(home, { version: 1, entry_id: "quay", access_token: "at-home" });
    const refused = async (who: string, account: string): Promise<string> => {
      const { text } = await openMcp(who, "paint", account);
      return text;
    };
    expect(await refused(ann, "hmoe")).toContain("quay has no account hmoe here: name one of home");
    // Another user is told of none of them.
    const other = await refused(bob, "home");
    expect(other).toContain('quay has no accounts here: leave \\"account\\" out');
    expect(other).toContain("plasm auth set quay --account home --tenant acme --principal bob");
    // The intent is free still.
    const { text } = await openMcp(ann, "paint", "home");
    expect(text).toContain("accounts: quay as home");
  });

  it("where nobody is given a link, a label that there is not binds no intent either", async () => {
    await storeHome();
    await server.open({}, "off", false);
    const text = await named("hmoe");
    expect(text).toContain("quay has no account hmoe here: name one of home, or sign in to it");
    expect(text).toContain("plasm auth login quay --catalogs DIRECTORY --account hmoe");
    // The intent is free still.
    expect(await server.session({}, "home", "paint")).toContain("/execute/");
  });

  it("where somebody is, the invitation for a label that there is not names those that there are", async () => {
    await storeHome();
    await server.open();
    const at = await server.session({}, "hmoe", "paint");
    const answer = await (await server.run(at, "Boat.limit(1)")).text();
    expect(answer).toContain(
      "quay account hmoe is not connected; its accounts are home. Have the user open this link",
    );
    // One that there is names no others.
    const home = await server.session({}, "home", "sand");
    expect(await (await server.run(home, "Boat.limit(1)")).text()).not.toContain("accounts are");
  });

  it.each([
    ["no label", { seeds: seedsOf("My Account"), intent: "x" }, "is no label"],
    ["no intent that keeps it", { seeds: seedsOf("work") }, 'needs an \\"intent\\"'],
    [
      "two of one catalog",
      { seeds: [...seedsOf("a"), ...seedsOf("b")], intent: "x" },
      "as a and as b",
    ],
    ["no catalog", { seeds: [{ entity: "Boat", account: "a" }], intent: "x" }, 'needs \\"api\\"'],
  ])("an account with %s is refused", async (_name, body, words) => {
    const { ann } = await server.openFor();
    const headers = { "content-type": "application/json", ...as(ann) };
    const answer = await server.send("/execute", {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
  });
});
