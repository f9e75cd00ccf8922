import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { catalogFromGraphql } from "../catalog-from-graphql.ts";
import { changingFields } from "./changing-fields.ts";

const TYPES = `
type User { id: ID! name: String }
type Session { id: ID! }
type Order { id: ID! }
type Cart { id: ID! }
type Card { id: ID! }
type Notification { id: ID! }
type Author { id: ID! }
type Book { id: ID! author: Author }
type Block { hash: ID! }
type Transaction { id: ID! }
type TokenPair { access: String refresh: String }
type LogoutResult { success: Boolean! message: String }
type CancelOrderPayload { order: Order }
type ReleaseStage { id: ID! }
type KillMail { id: ID! }
type DeployKey { id: ID! }
type Ban { id: ID! }
type MarkPrice { value: Float }
type BlockHeaderResponse { success: Boolean! header: String }
`;

/** The fields of a schema whose queries are these that are taken for changes. */
function changing(...fields: readonly string[]): readonly string[] {
  const schema = buildSchema(`${TYPES} type Query { ${fields.join("\n")} }`);
  const all = Object.values(schema.getQueryType()?.getFields() ?? {});
  return [...changingFields(schema, all)].map(({ name }) => name);
}

/** Reads beside which a field stands: most are called by nouns. */
const NOUNS = [
  "user(id: ID!): User",
  "users: [User!]!",
  "orders: [Order!]!",
  "authorOfBook(id: ID!): Author",
  "topSellers: [User]",
  "newestBooks: [Book]",
  "cheapCards: [Card]",
];

describe("CAT-164 a query that says that it changes something is an effect", () => {
  it.each([
    "deleteSession(id: ID!): Session",
    "cancelOrder(id: ID!): CancelOrderPayload",
    "orderCancel(id: ID!): Order",
    "logout: LogoutResult",
    "removeFromCart(item: ID!): Cart",
    "deleteByEmail(email: String!): Boolean",
    "addToCart(item: ID!): Cart",
    "resetPassword(email: String!): Boolean",
    "resetDemo: Boolean",
    "refreshToken(token: String!): TokenPair",
    "updateNames(ids: [ID!]!): [User!]",
    "markAllRead: [Notification!]",
    "markAsRead(id: ID!): Notification",
    "markNotificationRead(id: ID!): Boolean",
    "setLocked(id: ID!): Boolean",
    "transferOrder(id: ID!): Order",
    "chargeCard(id: ID!): Card",
    "clearBasket: LogoutResult",
    "findOrCreateUser(name: String!): User",
    '"Returns true if the session was deleted." deleteUserSession(id: ID!): Boolean',
    '"Deletes the session of the user." session(id: ID!): Session',
    '"Resets the password." password(email: String!): Boolean',
    '"Gets the next notification and removes it." next: Notification',
  ])("%s", (field) => {
    const name = /^(?:"[^"]*" )?(\w+)/.exec(field)?.[1];
    expect(changing(...NOUNS, field)).toEqual([name]);
  });

  it.each([
    "openOrders: [Order!]!",
    "openOrder(id: ID!): Order",
    "completeOrder(id: ID!): Order",
    "bookAuthor(book: ID!): Author",
    "blockNumber(chain: Int!): Int",
    "blockTransactions(hash: ID!): [Transaction!]",
    "blockExists(hash: ID!): Boolean",
    "blockHeader(hash: ID!): BlockHeaderResponse",
    "blockByHash(hash: ID!): Block",
    "postComments(post: ID!): [Notification!]",
    "markPrice(symbol: String!): MarkPrice",
    "bookTitle(id: ID!): String",
    "releaseNotes(version: String!): String",
    "updateAvailable: Boolean",
    "registerEnabled: Boolean",
    "autoApprove: Boolean",
    "canUserDelete(id: ID!): Boolean",
    "mergeRequest(id: ID!): Order",
    "addOnPurchases: [Order!]",
    "executeSearch(q: String!): [Order!]",
    "cancelReasons: [String!]",
    "sendLimits(user: ID!): Int",
    "deletedUsers: [User!]",
    "startDate: String",
    '"Gets the reset that is pending" resetPassword(email: String!): String',
    '"Checks whether it may be confirmed" confirmOrder(id: ID!): Boolean',
    '"Simulates an order without placing it" order(id: ID!): Order',
  ])("not %s", (field) => expect(changing(...NOUNS, field)).toEqual([]));

  it("not what is called like the rows it answers, where a query lists these", () => {
    const fields = [
      "releaseStages: [ReleaseStage!]!",
      "releaseStage(id: ID!): ReleaseStage",
      "killMails: [KillMail!]!",
      "killMail(id: ID!): KillMail",
      '"Kill mails of a player" mails: [KillMail!]!',
      "deployKeys(user: ID!): [DeployKey!]",
      "ban(id: ID!): Ban",
    ];
    expect(changing(...NOUNS, ...fields)).toEqual([]);
  });

  it("where all queries are calls, a verb is no noun", () => {
    const calls = "User Users Order Cart Card Book".split(" ").map((name) => `get${name}: [User]`);
    expect(changing(...calls, "openGate: String", "moveShelf(id: ID!): [Book]")).toEqual([
      "openGate",
      "moveShelf",
    ]);
    expect(changing(...calls, "openOrderCount: Int", "mergeRequest: Order")).toEqual([
      "openOrderCount",
    ]);
  });

  it("is sent as the query that it is, finds no row, and is called by its verb", async () => {
    const schema = `${TYPES} type Query { deleteSession(id: ID!): Session sessions: [Session!]! users: [User!]! }`;
    const made = await catalogFromGraphql(schema, { entryId: "yard" });
    const { capabilities } = parseYaml(made.domain) as {
      capabilities: Record<string, { kind: string }>;
    };
    const kinds = Object.entries(capabilities).map(([name, { kind }]) => `${name} ${kind}`);
    expect(kinds).toEqual(["session_query query", "session_delete delete", "user_query query"]);
    expect(made.mappings).toContain("query($id: ID!) { deleteSession(id: $id)");
  });
});
