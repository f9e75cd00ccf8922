import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { connectTransport } from "@plasm/mcp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type IdentityWorld, openIdentityWorld, TENANT } from "../identity/identity-world.ts";

const WAYS = ["2026-07-28 over HTTP", "2025-11-25 on a connection that stands"] as const;

/** What a client's user answers to a form, which says what may be answered. */
type User = (fields: Readonly<Record<string, { readonly enum?: readonly string[] }>>) => object;

let world: IdentityWorld;
let ann: Readonly<Record<string, string>>;
let intent = 0;
const clients: Client[] = [];
beforeAll(async () => {
  world = await openIdentityWorld();
  ann = await world.key({});
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => world.close());

/** Opens a session by seeds over a real MCP client whose user answers so; null: one that asks nobody. */
async function opened(way: (typeof WAYS)[number], user: User | null, seeds: readonly object[]) {
  const asked: string[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: user === null ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: way === WAYS[0] ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  clients.push(client);
  if (user !== null)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (!("requestedSchema" in params)) throw new Error("A form is asked for, and nothing else");
      asked.push(params.message);
      return user(params.requestedSchema.properties as Parameters<User>[0]) as never;
    });
  if (way === WAYS[1]) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectTransport(far, {
      ...world.host,
      caller: { scope: TENANT, subject: "ann", connection: null },
    });
    await client.connect(near);
  } else {
    const at = new URL("/mcp", world.url);
    await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers: ann } }));
  }
  intent += 1;
  const { content, isError } = await client.callTool({
    name: "plasm_context",
    arguments: { intent: `choose ${intent}`, seeds },
  });
  const [first] = content;
  return { text: first?.type === "text" ? first.text : "", isError: isError === true, asked };
}

const BOATS = [{ entity: "boats" }, { api: "quay", entity: "Person" }];
const accept =
  (seed: string): User =>
  () => ({ action: "accept", content: { seed_1: seed } });

describe.each(WAYS)("TEACH-52 over %s", (way) => {
  test("the person chooses which of several entities a seed means, and the call goes on", async () => {
    let fields: Parameters<User>[0] = {};
    const { text, isError, asked } = await opened(
      way,
      (shown) => {
        fields = shown;
        return { action: "accept", content: { seed_1: "yard: Boat" } };
      },
      BOATS,
    );
    expect(asked).toEqual(['Several APIs have what your agent calls "boats". Which do you mean?']);
    expect(fields).toMatchObject({ seed_1: { enum: ["quay: Boat", "yard: Boat"] } });
    expect([isError, text]).toEqual([false, expect.stringMatching(/^Added from yard: Boat$/m)]);
    expect(text).toMatch(/^quay: Person$/m);
  });

  test.each<readonly [string, User | null]>([
    ["who declines", () => ({ action: "decline" })],
    ["who chooses nothing", () => ({ action: "accept", content: {} })],
    ["whose client fills in no forms", null],
  ])("the model is told the candidates by one %s", async (_, user) => {
    const { text, isError, asked } = await opened(way, user, BOATS);
    expect(isError).toBe(true);
    expect(text).toContain('boats may be {"api":"quay","entity":"Boat"}, {"api":"yard"');
    expect(asked).toHaveLength(user === null ? 0 : 1);
  });

  test.each(["nowhere: Boat", "quay: Zeppelin", "quay: __proto__"])(
    "what nobody offered is refused as any seed: %s",
    async (forged) => {
      const { text, isError } = await opened(way, accept(forged), BOATS);
      expect(isError).toBe(true);
      expect(text).not.toContain("plasm_expr");
    },
  );

  test("nobody is asked where a name means nothing at all, nor where it means one thing", async () => {
    const lost = await opened(way, accept("yard: Boat"), [{ entity: "zeppelins" }, ...BOATS]);
    expect([lost.isError, lost.asked]).toEqual([true, []]);
    const clear = await opened(way, accept("yard: Boat"), [{ entity: "people" }]);
    expect([clear.isError, clear.asked]).toEqual([false, []]);
  });
});
