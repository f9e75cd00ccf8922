import { type OAuthServer, startOAuthServer } from "@plasm/testkit/servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { openIdentityWorld, type IdentityWorld } from "./identity-world.ts";

/** What people of the company are there, as its provider says it. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  ann: ["staff"],
  lea: ["staff", "approvers"],
  rex: ["guests"],
};
const SIGN_IN = "/v1/console/sign-in";
const SESSION = "/v1/console/session";
const CONSOLE = { id: "plasm-console", secret: "a secret of the console, and of nobody else" };

let [world, oauth, other, origin]: [IdentityWorld, OAuthServer, OAuthServer, string] = [] as never;

beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const claimsOf = (name: string) => ({ tid: "acme", roles: ROLES[name] ?? [] });
  const back = (id: string): string => `${origin}${SIGN_IN}/${id}/callback`;
  [oauth, other] = await Promise.all([
    startOAuthServer({ webClient: { ...CONSOLE, back: back("default") }, claimsOf }),
    startOAuthServer({ redirectUris: [back("office")], claimsOf }),
  ]);
  world = await openIdentityWorld({
    port,
    env: {
      PLASM_TRANSPORT_ORIGIN: origin,
      PLASM_JWT_ISSUER: oauth.url,
      PLASM_JWT_JWKS_URL: `${oauth.url}/jwks`,
      PLASM_JWT_OPERATOR_ROLES: "approvers",
      PLASM_JWT_AGENT_ROLES: "staff",
      PLASM_JWT_OPERATOR_AUDIENCE: `${origin}/desk`,
      PLASM_JWT_CLIENT_ID: CONSOLE.id,
      PLASM_JWT_CLIENT_SECRET: CONSOLE.secret,
      PLASM_JWT_OFFICE_ISSUER: other.url,
      PLASM_JWT_OFFICE_JWKS_URL: `${other.url}/jwks`,
      PLASM_JWT_OFFICE_CLIENT_ID: "plasm-app",
      PLASM_JWT_OFFICE_EFFECT_SCOPE: "boats.write",
      PLASM_JWT_OFFICE_CLIENT_SCOPE: "openid",
    },
  });
}, 60_000);
afterAll(async () => {
  await world.close();
  await oauth.close();
  await other.close();
});

/** A browser as far as this server sees it: its cookies, and what its page keeps. */
class Tab {
  readonly cookies = new Map<string, string>();
  #token = "sign-in";

  /** What its page sends with each call. */
  headers(): Readonly<Record<string, string>> {
    return { cookie: this.#cookie(), "x-plasm-console": this.#token };
  }

  #cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async send(path: string, method = "GET", body?: object): Promise<Response> {
    const isPage = !path.startsWith(`${SIGN_IN}/`);
    const answer = await fetch(new URL(path, origin), {
      method,
      redirect: "manual",
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(isPage ? { ...this.headers(), origin } : { cookie: this.#cookie() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Goes to the provider. */
  async begin(to = "/approvals", id = "default"): Promise<string> {
    const answer = await this.send(`${SIGN_IN}/${id}?to=${encodeURIComponent(to)}`);
    if (answer.status !== 303) throw new Error(await answer.text());
    return answer.headers.get("location") ?? "";
  }

  /** Comes back from there; gives where that leads. */
  async back(
    url: URL,
  ): Promise<{ readonly status: number; readonly to: string; readonly text: string }> {
    const answer = await this.send(url.pathname + url.search);
    const { status, headers } = answer;
    return { status, to: headers.get("location") ?? "", text: await answer.text() };
  }

  /** What the page does with the address that it was led to. */
  async take(to: string): Promise<Readonly<Record<string, unknown>> & { readonly status: number }> {
    const provider = /#signed-in=([\w-]+)$/.exec(to)?.[1] ?? "";
    const answer = await this.send(SESSION, "POST", { provider });
    const body = (await answer.json()) as Readonly<Record<string, unknown>>;
    if (typeof body["page_token"] === "string") this.#token = body["page_token"];
    return { ...body, status: answer.status };
  }

  async signIn(name: string, id = "default") {
    const server = id === "default" ? oauth : other;
    const { to } = await this.back(
      await server.visit(await this.begin("/approvals", id), { name }),
    );
    return this.take(to);
  }
}

describe("SURF-40: people sign in to the console at their identity provider", () => {
  test("which ones there are is known before anybody has signed in", async () => {
    const { providers } = (await (await new Tab().send(SIGN_IN)).json()) as Record<string, unknown>;
    expect(providers).toEqual([
      { id: "default", name: new URL(oauth.url).host },
      { id: "office", name: new URL(other.url).host },
    ]);
  });

  test("an operator decides, an agent runs programs, and each is the person that a token is of", async () => {
    const lea = new Tab();
    const to = await lea.begin("/approvals/7?x=1");
    const asked = new URL(to).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    expect(asked.get("nonce")).not.toBeNull();
    const led = await lea.back(await oauth.visit(to, { name: "lea" }));
    expect(led.to).toMatch(new RegExp(`^${origin}/console/approvals/7\\?x=1#signed-in=`));
    const shown = await lea.take(led.to);
    const tenant = `${oauth.url}|tenant|acme`;
    expect(shown).toMatchObject({ tenant, roles: { agent: "lea", operator: "lea" } });
    expect((await lea.send("/v1/approvals")).status).toBe(200);
    expect(await (await lea.send("/v1/whoami")).json()).toMatchObject({ subject: "lea" });
    const { lines } = (await (await lea.send("/v1/audit?kind=signed_in")).json()) as {
      readonly lines: readonly object[];
    };
    expect(lines).toContainEqual(
      expect.objectContaining({ subject: "lea", detail: `console, by ${oauth.url}` }),
    );
    const ann = new Tab();
    expect(await ann.signIn("ann")).toMatchObject({ tenant, roles: { agent: "ann" } });
    expect((await ann.send("/v1/approvals")).status).toBe(401);
  });

  test("whoever has no role there is told so, and not signed in", async () => {
    const tab = new Tab();
    const led = await tab.back(await oauth.visit(await tab.begin(), { name: "rex" }));
    expect(led).toMatchObject({ status: 403, text: expect.stringContaining("You have no role") });
    expect((await tab.send(SESSION)).status).toBe(401);
  });

  test("signing out ends what the browser stood for", async () => {
    const tab = new Tab();
    await tab.signIn("lea");
    const before = [...tab.cookies];
    expect((await tab.send(SESSION, "DELETE")).status).toBe(200);
    for (const [name, value] of before) tab.cookies.set(name, value);
    expect((await tab.send("/v1/approvals")).status).toBe(401);
  });

  test("a refused consent, a provider that is down and a public client", async () => {
    const tab = new Tab();
    const refused = await oauth.visit(await tab.begin(), { name: "lea", refuses: true });
    expect(await tab.back(refused)).toMatchObject({
      status: 403,
      text: expect.stringContaining("Consent was refused: nobody was signed in."),
    });
    const away = await oauth.visit(await tab.begin(), { name: "lea" });
    oauth.down = true;
    expect(await tab.back(away)).toMatchObject({ status: 502 });
    oauth.down = false;
    expect(await tab.signIn("ann", "office")).toMatchObject({
      status: 200,
      tenant: `${other.url}|tenant|acme`,
      roles: { agent: "ann" },
    });
  });
});

describe("SURF-69: sign-ins are in the store", () => {
  test("another server on it knows them, and signing out there ends them here", async () => {
    const elsewhere = await world.replica();
    const lea = new Tab();
    await lea.signIn("lea");
    const who = { ...lea.headers(), origin };
    expect((await elsewhere(who, "GET", "/v1/approvals")).status).toBe(200);
    const shown = await elsewhere(who, "GET", SESSION);
    expect(JSON.parse(shown.text)).toMatchObject({ roles: { agent: "lea", operator: "lea" } });
    expect((await elsewhere(who, "DELETE", SESSION)).status).toBe(200);
    expect((await lea.send("/v1/approvals")).status).toBe(401);
  });
});

describe("SURF-40: as an agent, within the scopes that were granted", () => {
  test("what reads runs, what changes something does not", async () => {
    const [narrow, whole] = [new Tab(), new Tab()];
    await narrow.signIn("ann", "office");
    await whole.signIn("ann");
    const seeds = [{ api: "quay", entity: "Boat" }];
    const change = { program: 'Boat("b1").update(note="painted")', force: true };
    const statuses = [];
    for (const tab of [narrow, whole]) {
      const opened = await tab.send("/execute", "POST", {
        intent: "paint",
        seeds,
        notation: "names",
      });
      const at = opened.headers.get("location") ?? "";
      const read = await tab.send(at, "POST", { program: "Boat.limit(1)" });
      statuses.push([read.status, (await tab.send(at, "POST", change)).status]);
    }
    expect(statuses).toEqual([
      [200, 403],
      [200, 200],
    ]);
  });
});

describe("SURF-40: what somebody else brings signs nobody in", () => {
  test("an answer in another browser, one that was used, a made-up state, and another provider's", async () => {
    const [tab, victim] = [new Tab(), new Tab()];
    const answer = await oauth.visit(await tab.begin(), { name: "lea" });
    expect(await victim.back(answer)).toMatchObject({
      status: 403,
      text: expect.stringContaining("begun in another browser"),
    });
    const elsewhere = new URL(answer);
    elsewhere.pathname = `${SIGN_IN}/office/callback`;
    expect((await tab.back(elsewhere)).status).toBe(410);
    const led = await tab.back(answer);
    expect(led.status).toBe(303);
    expect((await tab.back(answer)).status).toBe(410);
    // What the address carries is nothing without the cookie, and is good once.
    expect((await victim.take(led.to)).status).toBe(401);
    expect((await tab.take(led.to)).status).toBe(200);
    expect((await tab.take(led.to)).status).toBe(401);
    const made = new URL(answer);
    made.searchParams.set("state", "made-up");
    expect((await tab.back(made)).status).toBe(403);
  });

  test("the issuer of an answer is looked at, and a code of another sign-in is worth nothing", async () => {
    const tab = new Tab();
    const mixed = await oauth.visit(await tab.begin(), { name: "lea" });
    mixed.searchParams.set("iss", other.url);
    expect(await tab.back(mixed)).toMatchObject({ status: 502 });
    const [first, second] = [new Tab(), new Tab()];
    const stolen = await oauth.visit(await first.begin(), { name: "lea" });
    const own = await oauth.visit(await second.begin(), { name: "rex" });
    own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect(await second.back(own)).toMatchObject({ status: 502 });
    expect((await second.send(SESSION)).status).toBe(401);
  });

  test.each([
    ["two slashes", "//evil.example/"],
    ["an address", "https://evil.example/"],
    ["a backslash", "/\\evil.example"],
    ["a fragment", "/a#signed-in=x"],
    ["a line", "/a\nb"],
    ["a script", "javascript:alert(1)"],
    ["dots", "/../v1/connect/abc"],
    ["dots in disguise", "/%2e%2e/v1/connect/abc"],
    ["a long one", `/${"a".repeat(3_000)}`],
  ])("comes back to the console and nowhere else: %s", async (_, to) => {
    const tab = new Tab();
    const led = await tab.back(await oauth.visit(await tab.begin(to), { name: "ann" }));
    expect(led.to).toMatch(new RegExp(`^${origin}/console/#signed-in=[\\w-]+$`));
  });

  test("a sign-in that the browser had chosen before is not the one that it gets", async () => {
    const tab = new Tab();
    const name = `plasm_console_${new URL(origin).port}`;
    tab.cookies.set(name, "chosen-by-somebody");
    await tab.signIn("lea");
    expect(tab.cookies.get(name)).toMatch(/^[0-9a-f]{16}\.[\w-]{43}$/);
  });

  test("nothing that the provider gave reaches the browser", async () => {
    const tab = new Tab();
    const answer = await oauth.visit(await tab.begin(), { name: "lea" });
    const led = await tab.back(answer);
    const shown = JSON.stringify(await tab.take(led.to));
    for (const secret of oauth.issued)
      for (const text of [led.to, led.text, shown, ...tab.cookies.values()])
        expect(text).not.toContain(secret);
    expect(shown).not.toContain("console_person_");
  });
});
