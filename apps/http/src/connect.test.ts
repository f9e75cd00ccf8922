import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectServer, cookieOf } from "./testing/connect-server.ts";

let server: ConnectServer;
beforeEach(async () => {
  server = await ConnectServer.start();
});
afterEach(() => server.close());

describe("a run that lacks a sign-in (RUN-128)", () => {
  it("ends before anything is sent, with a link; after consent the same ref runs", async () => {
    await server.open();
    const at = await server.session();
    const { link, ref } = await server.asked(at);
    expect(server.oauth.calls).toEqual([]);
    const page = await server.send(link);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<button>")]);
    const begun = await server.press(link);
    expect(begun.status).toBe(303);
    const back = await server.consented(begun);
    expect(back.href).toMatch(/^http:\/\/127\.0\.0\.1\/v1\/connect\/callback\?/);
    const done = await server.send(back.href, { headers: { cookie: cookieOf(begun) } });
    expect([done.status, await done.text()]).toEqual([
      200,
      expect.stringContaining("You are signed in to quay"),
    ]);
    const rows = await server.runRef(at, ref);
    expect([rows.status, await rows.text()]).toEqual([200, expect.stringContaining("c1")]);
    expect(server.oauth.calls.map(({ person }) => person)).toEqual(["ann"]);
    expect(await server.signedIn()).toMatchObject([
      { kind: "signed_in", subject: "local", entry_id: "quay", tenant: "anonymous" },
    ]);
    // One use: neither the link nor the answer opens anything again.
    expect((await server.press(link)).status).toBe(410);
    const again = await server.send(back.href, { headers: { cookie: cookieOf(begun) } });
    expect([again.status, await again.text()]).toEqual([410, expect.stringContaining("used up")]);
  });

  it("no token, code or link is in the data directory", async () => {
    await server.open();
    const { link } = await server.asked(await server.session());
    const begun = await server.press(link);
    const back = await server.consented(begun);
    await server.send(back.href, { headers: { cookie: cookieOf(begun) } });
    await server.host.engine.ping();
    const secrets = [
      link.split("/").at(-1),
      back.searchParams.get("code"),
      back.searchParams.get("state"),
    ];
    const entries = await readdir(join(server.directory, "data"), {
      recursive: true,
      withFileTypes: true,
    });
    const texts = await Promise.all(
      entries
        .filter((one) => one.isFile())
        .map((one) => readFile(join(one.parentPath, one.name), "latin1")),
    );
    expect(texts.some((text) => text.includes("plasm1."))).toBe(true);
    for (const secret of [...secrets, "refresh_token", "access_token"]) {
      expect(texts.filter((text) => text.includes(secret ?? "?"))).toEqual([]);
    }
  });

  it.each<[string, (begun: Response, back: URL) => Promise<Response>, number, string]>([
    ["in another browser", (_begun, back) => server.send(back.href), 403, "another person"],
    [
      "with another state",
      (begun, back) => {
        back.searchParams.set("state", "guessed");
        return server.send(back.href, { headers: { cookie: cookieOf(begun) } });
      },
      410,
      "used up",
    ],
    [
      "of another provider",
      (begun, back) => {
        back.searchParams.set("iss", "https://evil.example");
        return server.send(back.href, { headers: { cookie: cookieOf(begun) } });
      },
      502,
      "comes from another sign-in server",
    ],
  ])("an answer %s connects nothing, and says so", async (_name, answer, status, words) => {
    await server.open();
    const at = await server.session();
    const begun = await server.press((await server.asked(at)).link);
    const told = await answer(begun, await server.consented(begun));
    expect([told.status, await told.text()]).toEqual([status, expect.stringContaining(words)]);
    await server.asked(at);
    expect(server.oauth.calls).toEqual([]);
  });

  it("consent that is refused, and a provider that is down, are told; the latter costs no link", async () => {
    await server.open();
    const at = await server.session();
    const first = await server.press((await server.asked(at)).link);
    const back = await server.consented(first, true);
    const refused = await server.send(back.href, { headers: { cookie: cookieOf(first) } });
    expect([refused.status, await refused.text()]).toEqual([
      502,
      expect.stringContaining("Consent was refused"),
    ]);
    const { link } = await server.asked(at);
    server.oauth.down = true;
    const down = await server.press(link);
    expect([down.status, await down.text()]).toEqual([
      502,
      expect.stringContaining("answered 503; try again"),
    ]);
    server.oauth.down = false;
    expect((await server.press(link)).status).toBe(303);
  });

  it("nothing else is there, and a foreign page cannot press the button", async () => {
    await server.open();
    const { link } = await server.asked(await server.session());
    expect((await server.send("/v1/connect/made-up")).status).toBe(410);
    expect((await server.send("/v1/connect/..%2f..%2fx")).status).toBe(404);
    expect((await server.send(link, { method: "PUT" })).status).toBe(405);
    const foreign = await server.send(link, {
      method: "POST",
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    expect((await server.press(link)).status).toBe(303);
  });

  it("where people reach no page, the command is named", async () => {
    await server.open({}, "off", false);
    const answer = await server.run(await server.session(), "Boat.limit(1)");
    expect(await answer.text()).toContain("on the server run plasm auth login quay");
    expect(server.oauth.calls).toEqual([]);
  });
});

describe("links of several people (RUN-128)", () => {
  it("a link opened by another connects nothing for either; its own person's serves that person alone", async () => {
    const { ann, bob } = await server.openFor();
    const [asAnn, asBob] = [{ "x-api-key": ann }, { "x-api-key": bob }];
    const [ofAnn, ofBob] = [await server.session(asAnn), await server.session(asBob)];
    const { link, ref } = await server.asked(ofAnn, asAnn);
    const others = [
      await server.press(link, bob),
      await server.press(link, "made-up"),
      await server.press(link),
    ];
    expect(others.map(({ status }) => status)).toEqual([403, 401, 401]);
    expect(await others[0]?.text()).toContain("made for another person");
    await server.asked(ofBob, asBob);
    const begun = await server.press(link, ann);
    const back = await server.consented(begun);
    expect((await server.send(back.href, { headers: { cookie: cookieOf(begun) } })).status).toBe(
      200,
    );
    expect((await server.runRef(ofAnn, ref, asAnn)).status).toBe(200);
    await server.asked(ofBob, asBob);
    expect(server.oauth.calls).toHaveLength(1);
  });

  it("is good for nobody after five wrong keys", async () => {
    const { ann } = await server.openFor();
    const as = { "x-api-key": ann };
    const { link } = await server.asked(await server.session(as), as);
    for (let n = 0; n < 5; n++) await server.press(link, `guess-${n}`);
    expect((await server.press(link, ann)).status).toBe(410);
  });

  it("where callers share credentials, none of them signs in for all", async () => {
    const { ann } = await server.openFor({});
    const as = { "x-api-key": ann };
    const answer = await server.run(await server.session(as), "Boat.limit(1)", as);
    expect(await answer.text()).toContain(
      "on the server run plasm auth login quay --catalogs DIRECTORY --tenant acme",
    );
  });

  it.each([
    ["acme", " --tenant acme"],
    [null, ""],
  ])("the command is for whomever the ended sign-in is: %s", async (tenant, words) => {
    const { ann } = await server.openFor({});
    const as = { "x-api-key": ann };
    const ended = {
      version: 1,
      entry_id: "quay",
      access_token: "at-1",
      expires_at_unix: 1,
      ended: true,
    };
    await server.store({ key: "plasm:outbound:v1:catalog:quay", tenant, principal: null }, ended);
    const answer = await server.run(await server.session(as), "Boat.limit(1)", as);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail.split("\n")[1]).toBe(
      `quay is not connected: on the server run plasm auth login quay --catalogs DIRECTORY${words}`,
    );
  });
});
