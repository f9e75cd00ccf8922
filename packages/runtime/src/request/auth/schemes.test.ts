import { describe, expect, test } from "vitest";
import type { Received } from "@plasm/testkit/servers";
import { memorySecrets, withDepot } from "../../testing/guarded-depot.ts";
import type { Setting } from "../../testing/fixture-run.ts";

const HOSTED = "plasm:outbound:v1:catalog:depot";

/** What the API got to see of the credential. */
async function seen(top: string, setting: Partial<Setting>): Promise<Received | undefined> {
  return withDepot({}, async ({ list, asked }) => {
    const outcome = await list(top, setting);
    expect(outcome.nodes.map(({ error }) => error)).toEqual([null]);
    expect(asked()).toHaveLength(1);
    return asked()[0];
  });
}

async function refusal(top: string, setting: Partial<Setting>) {
  return withDepot({}, async ({ list, server }) => {
    const outcome = await list(top, setting);
    expect(server.log).toEqual([]);
    const error = outcome.nodes[0]?.error;
    expect(error?.code).toBe("auth_missing");
    return { message: error?.message ?? "", correction: error?.correction ?? "" };
  });
}

describe("RUN-121, catalog section 9: how each scheme carries its secret", () => {
  const secrets = memorySecrets({ KEY: " s3cret-key \n" });
  test.each<[string, string, (got: Received) => unknown, unknown]>([
    [
      "api_key_header",
      "auth: { scheme: api_key_header, header: X-Depot-Key, env: KEY }",
      ({ headers }) => headers["x-depot-key"],
      "s3cret-key",
    ],
    [
      "api_key_header with a prefix",
      'auth: { scheme: api_key_header, header: Authorization, prefix: "Token ", env: KEY }',
      ({ headers }) => headers.authorization,
      "Token s3cret-key",
    ],
    [
      "api_key_query",
      "auth: { scheme: api_key_query, param: key, env: KEY }",
      ({ query }) => query.get("key"),
      "s3cret-key",
    ],
    [
      "bearer_token",
      "auth: { scheme: bearer_token, env: KEY }",
      ({ headers }) => headers.authorization,
      "Bearer s3cret-key",
    ],
    [
      "oauth_bearer",
      "auth: { scheme: oauth_bearer, env: KEY }",
      ({ headers }) => headers.authorization,
      "Bearer s3cret-key",
    ],
    [
      "optional_env without a credential",
      "auth: { scheme: bearer_token, env: NONE, optional_env: true }",
      ({ headers }) => headers.authorization,
      undefined,
    ],
    [
      "optional_env with one",
      "auth: { scheme: bearer_token, env: KEY, optional_env: true }",
      ({ headers }) => headers.authorization,
      "Bearer s3cret-key",
    ],
    [
      "optional_env of a key in the query, without one",
      "auth: { scheme: api_key_query, param: key, env: NONE, optional_env: true }",
      ({ url }) => new URL(url ?? "", "http://x").searchParams.get("key"),
      null,
    ],
    [
      "optional_env of a key in a header, with one",
      "auth: { scheme: api_key_header, header: X-Key, env: KEY, optional_env: true }",
      ({ headers }) => headers["x-key"],
      "s3cret-key",
    ],
    ["none", "auth: { scheme: none }", ({ headers }) => headers.authorization, undefined],
  ])("%s", async (_name, top, look, expected) => {
    const got = await seen(top, { secrets });
    expect(got === undefined ? null : look(got)).toEqual(expected);
  });
});

describe("RUN-120: session, hosted, environment, none", () => {
  const top = `auth: { scheme: bearer_token, env: KEY, hosted_kv: "plasm:outbound:depot" }`;
  const session = new Map([["depot", "of-session"]]);
  const both = { "plasm:outbound:depot": "of-hosted", [HOSTED]: "of-plasm-auth" };
  test.each<[string, Partial<Setting>, string]>([
    [
      "the session's first",
      { secrets: memorySecrets({ KEY: "of-env" }, both), credentials: { tenant: "t", session } },
      "of-session",
    ],
    [
      "another entry's session credential serves nobody else",
      {
        secrets: memorySecrets({ KEY: "of-env" }),
        credentials: { tenant: "t", session: new Map([["yard", "of-yard"]]) },
      },
      "of-env",
    ],
    [
      "then the declared hosted key",
      { secrets: memorySecrets({ KEY: "of-env" }, both) },
      "of-hosted",
    ],
    [
      "then what plasm auth stored",
      { secrets: memorySecrets({ KEY: "of-env" }, { [HOSTED]: "of-plasm-auth" }) },
      "of-plasm-auth",
    ],
    ["hosted_kv does not disable env", { secrets: memorySecrets({ KEY: "of-env" }) }, "of-env"],
    [
      "delegated mode: the principal's own",
      {
        secrets: memorySecrets({ KEY: "of-env" }, { ...both, "ann plasm:outbound:depot": "anns" }),
        credentials: { tenant: "t", delegated: true, principal: "ann" },
      },
      "anns",
    ],
  ])("%s", async (_name, setting, expected) => {
    expect((await seen(top, setting))?.headers.authorization).toBe(`Bearer ${expected}`);
  });

  test("auth_missing names every source tried, and every way to give one", async () => {
    const { message, correction } = await refusal(top, { secrets: memorySecrets({ KEY: " " }) });
    expect(message).toBe(
      "There is no credential for depot: tried the session's credential, hosted key plasm:outbound:depot, plasm auth (plasm:outbound:v1:catalog:depot), environment variable KEY (blank).",
    );
    for (const way of ["plasm auth set depot", "set KEY in its environment or env file"]) {
      expect(correction).toContain(way);
    }
    expect(correction).toContain("store the hosted key plasm:outbound:depot");
  });

  test("delegated mode demands a principal, and takes nothing of the deployment's", async () => {
    const secrets = memorySecrets({ KEY: "of-env" }, both);
    const nobody = await refusal(top, { secrets, credentials: { tenant: "t", delegated: true } });
    expect(nobody.message).toContain("the credentials of the calling user");
    const credentials = { tenant: "t", delegated: true, principal: "bob" };
    const bob = await refusal(top, { secrets, credentials });
    expect(bob.message).not.toContain("environment");
    expect(bob.correction).toContain("plasm auth set depot --principal bob --tenant t");
  });

  test("a secret that no header can carry is none", async () => {
    const { message } = await refusal("auth: { scheme: bearer_token, env: KEY }", {
      secrets: memorySecrets({ KEY: "two\nlines" }),
    });
    expect(message).toContain("environment variable KEY (no secret: it has line breaks");
    expect(message).not.toContain("two");
  });
});
