import { describe, expect, it } from "vitest";
import { answering, made, object, text } from "../testing/made.ts";

const boats = { "/boats/{id}": { get: answering(object({ id: text })) } };

describe("21 requests that are signed (RUN-199, ADR 0265)", () => {
  const signed = (type: string, name = "Authorization") => ({
    components: {
      securitySchemes: {
        hmac: { type: "apiKey", in: "header", name, "x-amazon-apigateway-authtype": type },
      },
    },
    security: [{ hmac: [] }],
    servers: ["http", "https"].map((protocol) => ({
      url: `${protocol}://data.berths.{region}.example.com`,
      variables: { region: { default: "eu-west-3" } },
    })),
  });

  it("say their service and region as the host does, and are sent by https", async () => {
    const { domain, diagnostics, text: written } = await made(boats, signed("awsSigv4"));
    expect(diagnostics).toEqual([]);
    expect(domain["auth"]).toEqual({
      scheme: "sigv4",
      service: "berths",
      region: "eu-west-3",
      env: "HARBOUR_KEYS",
    });
    expect(domain["http_backend"]).toBe("https://data.berths.eu-west-3.example.com");
    expect(written).toContain("HARBOUR_KEYS holds ACCESS_KEY_ID:SECRET_ACCESS_KEY");
  });

  it("have no key where the signature is of another kind", async () => {
    const { domain, left } = await made(boats, signed("awsSigv2"));
    expect(domain["auth"]).toEqual({ scheme: "none" });
    expect(left).toEqual(["security hmac: a catalog has no such scheme; requests show nothing"]);
  });
});

describe("auth is what the document asks for (CAT-110)", () => {
  it.each<[string, object, object]>([
    [
      "bearer",
      { type: "http", scheme: "bearer" },
      { scheme: "bearer_token", env: "HARBOUR_TOKEN" },
    ],
    [
      "basic",
      { type: "http", scheme: "basic" },
      { scheme: "api_key_header", header: "Authorization", prefix: "Basic ", env: "HARBOUR_BASIC" },
    ],
    [
      "a key in a header",
      { type: "apiKey", in: "header", name: "X-Key" },
      { scheme: "api_key_header", header: "X-Key", env: "HARBOUR_KEY" },
    ],
    [
      "a key in the query",
      { type: "apiKey", in: "query", name: "key" },
      { scheme: "api_key_query", param: "key", env: "HARBOUR_KEY" },
    ],
    [
      "a token by consent",
      { type: "oauth2", flows: { authorizationCode: {} } },
      { scheme: "oauth_bearer", env: "HARBOUR_TOKEN" },
    ],
    [
      "client credentials",
      {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://a.example/token", scopes: { read: "" } } },
      },
      {
        scheme: "oauth2_client_credentials",
        token_url: "https://a.example/token",
        client_id_env: "HARBOUR_CLIENT_ID",
        client_secret_env: "HARBOUR_CLIENT_SECRET",
        scopes: ["read"],
      },
    ],
  ])("%s", async (_says, scheme, auth) => {
    const { domain, diagnostics } = await made(boats, {
      security: [{ it: [] }],
      components: { securitySchemes: { it: scheme } },
    });
    expect([domain["auth"], diagnostics]).toEqual([auth, []]);
  });

  it("where people consent, the catalog says how they sign in (RUN-127)", async () => {
    const flow = {
      authorizationUrl: "https://id.example/authorize",
      tokenUrl: "https://id.example/token",
      scopes: { "boats.read": "Read\n boats", "boats.write": "", "no scope": "It has a blank" },
    };
    const asked = async (scheme: object) => {
      const { domain, diagnostics } = await made(boats, {
        security: [{ it: [] }],
        components: { securitySchemes: { it: scheme } },
      });
      return [domain["auth"], domain["oauth"], diagnostics];
    };
    const auth = { scheme: "oauth_bearer", env: "HARBOUR_TOKEN" };
    const consent = (more: object) => ({
      type: "oauth2",
      flows: { authorizationCode: { ...flow, ...more } },
    });
    expect(await asked(consent({}))).toEqual([
      auth,
      {
        provider: "harbour",
        issuer: "https://id.example",
        authorize_url: "https://id.example/authorize",
        token_url: "https://id.example/token",
        scopes: { "boats.read": { label: "Read boats" }, "boats.write": {} },
      },
      [],
    ]);
    for (const bad of [
      "http://id.example/token",
      "https://a:b@id.example/t",
      "https://id.example/#t",
      "/token",
    ])
      expect(await asked(consent({ tokenUrl: bad }))).toEqual([auth, undefined, []]);
    const openId = (url: string) => asked({ type: "openIdConnect", openIdConnectUrl: url });
    expect(await openId("https://id.example/a/.well-known/openid-configuration")).toEqual([
      auth,
      { provider: "harbour", issuer: "https://id.example/a", scopes: {} },
      [],
    ]);
    expect(await openId("https://id.example/keys")).toEqual([auth, undefined, []]);
  });

  it("without a demand there is none, and a token that may be left out may be", async () => {
    const components = { securitySchemes: { it: { type: "http", scheme: "bearer" } } };
    expect((await made(boats, { components })).domain["auth"]).toEqual({ scheme: "none" });
    const free = await made(boats, { components, security: [{ it: [] }, {}] });
    expect(free.domain["auth"]).toMatchObject({ optional_env: true });
  });

  describe("several schemes at once are keys of one request (CAT-114)", () => {
    const header = (name: string) => ({ type: "apiKey", in: "header", name });
    const query = (name: string) => ({ type: "apiKey", in: "query", name });
    const bearer = { type: "http", scheme: "bearer" };
    it.each<[string, object, unknown[], unknown, readonly string[]]>([
      [
        "two keys in headers",
        { apiKeyAuth: header("DD-API-KEY"), appKeyAuth: header("DD-APPLICATION-KEY") },
        [{ apiKeyAuth: [], appKeyAuth: [] }],
        {
          scheme: "api_key_header",
          header: "DD-API-KEY",
          env: "HARBOUR_KEY",
          also: [
            {
              name: "app_key",
              scheme: "api_key_header",
              header: "DD-APPLICATION-KEY",
              env: "HARBOUR_APP_KEY",
            },
          ],
        },
        [],
      ],
      [
        "a token and a key, whatever they are called",
        { a_key: query("key"), token: bearer },
        [{ a_key: [], token: [] }],
        {
          scheme: "bearer_token",
          env: "HARBOUR_TOKEN",
          also: [{ name: "a_key", scheme: "api_key_query", param: "key", env: "HARBOUR_A_KEY" }],
        },
        [],
      ],
      [
        "the first alternative of the document that can be had",
        { sid: { type: "apiKey", in: "cookie", name: "sid" }, a: header("A"), b: header("B") },
        [{ sid: [] }, { a: [], b: [] }, { a: [] }],
        expect.objectContaining({ header: "A", also: [expect.objectContaining({ name: "b" })] }),
        [],
      ],
      [
        "what cannot go along is told",
        { one: bearer, two: { type: "oauth2", flows: { implicit: {} } } },
        [{ one: [], two: [] }],
        { scheme: "bearer_token", env: "HARBOUR_TOKEN" },
        ["security one and two: a request cannot have two beside one; it has one alone"],
      ],
    ])("%s", async (_says, securitySchemes, security, auth, left) => {
      const found = await made(boats, { security, components: { securitySchemes } });
      expect([found.domain["auth"], found.left, found.diagnostics]).toEqual([auth, left, []]);
    });

    it("where operations say it, what most of them need", async () => {
      const need = (...names: readonly string[]) => ({
        security: [Object.fromEntries(names.map((name) => [name, []]))],
      });
      const get = (...names: readonly string[]) => ({
        get: answering(object({ id: text }), need(...names)),
      });
      const found = await made(
        { "/a/{id}": get("a"), "/b/{id}": get("a", "b"), "/c/{id}": get("a", "b") },
        { components: { securitySchemes: { a: header("A"), b: header("B") } } },
      );
      expect(found.domain["auth"]).toMatchObject({ header: "A", also: [{ header: "B" }] });
    });
  });

  it("a scheme that no catalog has is told", async () => {
    const components = { securitySchemes: { sid: { type: "apiKey", in: "cookie", name: "sid" } } };
    const { domain, left } = await made(boats, { components, security: [{ sid: [] }] });
    expect(domain["auth"]).toEqual({ scheme: "none" });
    expect(left).toEqual(["security sid: a catalog has no such scheme; requests show nothing"]);
  });
});

describe("the backend is the first server (CAT-020, CAT-021)", () => {
  it.each<[unknown[], string]>([
    [[{ url: "https://a.example/v1/" }, { url: "https://b.example" }], "https://a.example/v1"],
    [
      [{ url: "https://{r}.a.example", variables: { r: { default: "eu" } } }],
      "https://eu.a.example",
    ],
    [[{ url: "/api/v2" }], "https://your-api.example/api/v2"],
    [[], "https://your-api.example"],
    [[{ url: "ftp://a.example" }], "https://your-api.example"],
    [[{ url: "https://{r}.a.example" }], "https://your-api.example"],
  ])("%j", async (servers, url) => {
    const { domain, diagnostics } = await made(boats, { servers });
    expect(domain["http_backend"]).toBe(url);
    expect(diagnostics.filter((one) => !one.startsWith("CAT021"))).toEqual([]);
    expect(diagnostics).toHaveLength(url.includes("your-api") ? 1 : 0);
  });
});

describe("21 credentials that a document says as parameters are no arguments of programs (RUN-120)", () => {
  const boat = object({ id: text });
  const said = (name: string, place: string, required = true) => ({
    name,
    in: place,
    required,
    schema: text,
  });
  const calls = (...parameters: readonly object[]) => ({
    "/boats": { get: answering({ type: "array", items: boat }, { parameters }) },
    "/boats/{id}": { get: answering(boat, { parameters }) },
  });

  it.each<[string, readonly object[], object]>([
    [
      "a key in a header",
      [said("X-API-Key", "header")],
      { scheme: "api_key_header", header: "X-API-Key", env: "HARBOUR_KEY" },
    ],
    [
      "a key in the query",
      [said("api_key", "query")],
      { scheme: "api_key_query", param: "api_key", env: "HARBOUR_KEY" },
    ],
    [
      "a token of any name that all calls need, where the document has no scheme",
      [said("X-Dock-Server-Token", "header")],
      { scheme: "api_key_header", header: "X-Dock-Server-Token", env: "HARBOUR_KEY" },
    ],
    [
      "two that go together, the secret first",
      [said("X-Dock-Api-Id", "header"), said("X-Dock-Api-Key", "header")],
      {
        scheme: "api_key_header",
        header: "X-Dock-Api-Key",
        env: "HARBOUR_KEY",
        also: [
          {
            name: "x_dock_api_id",
            scheme: "api_key_header",
            header: "X-Dock-Api-Id",
            env: "HARBOUR_X_DOCK_API_ID",
          },
        ],
      },
    ],
    [
      "one that calls do without",
      [said("X-App-Token", "header", false), said("app_token", "query", false)],
      {
        scheme: "api_key_header",
        header: "X-App-Token",
        env: "HARBOUR_KEY",
        optional_env: true,
      },
    ],
    [
      "a whole header",
      [said("Authorization", "header")],
      { scheme: "api_key_header", header: "Authorization", env: "HARBOUR_KEY" },
    ],
  ])("%s", async (_, parameters, auth) => {
    const { domain, diagnostics, text: written } = await made(calls(...parameters));
    expect(diagnostics).toEqual([]);
    expect(domain["auth"]).toEqual(auth);
    for (const one of Object.values(domain.capabilities))
      expect(JSON.stringify(one["parameters"] ?? [])).not.toMatch(/key|token|api/i);
    expect(written).not.toMatch(/x_api_key|X_API_Key/);
  });

  it("beside a scheme go along, where calls need them and they stand elsewhere", async () => {
    const { domain } = await made(
      calls(
        said("dock-api-key", "header"),
        said("Authorization", "header"),
        said("key", "query", false),
      ),
      {
        components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
        security: [{ bearer: [] }],
      },
    );
    expect(domain["auth"]).toMatchObject({
      scheme: "bearer_token",
      also: [{ scheme: "api_key_header", header: "dock-api-key" }],
    });
  });

  it.each<[string, boolean, object]>([
    ["X-Dock-Server-Token", false, {}],
    ["Idempotency-Key", true, {}],
    [
      "X-Dock-Server-Token",
      true,
      { components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } } },
    ],
  ])("a name alone does not say it: %s, needed: %s", async (name, required, more) => {
    const { domain } = await made(calls(said(name, "header", required)), more);
    expect(JSON.stringify(domain["auth"])).not.toContain(name);
  });

  it("are arguments where they are what a call is about", async () => {
    const { domain } = await made({
      ...calls(),
      "/locks": {
        get: answering({ type: "array", items: boat }, { parameters: [said("key", "query")] }),
      },
    });
    expect(domain["auth"]).toEqual({ scheme: "none" });
    expect(JSON.stringify(domain.capabilities)).toContain('"key"');
  });
});
