import { expect, test } from "vitest";
import { fullPlan, linesOf } from "../../test/bill-of.ts";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";

const club = exposureOf([
  buildCatalog("club", {
    entities: {
      Member: {
        fields: { id: "str", name: "str", lead: "→Member" },
        relations: {
          friends: {
            target: "Member",
            cardinality: "many",
            materialize: { kind: "query_scoped", capability: "member_of", param: "friend" },
          },
          peers: {
            target: "Member",
            cardinality: "many",
            materialize: {
              kind: "query_scoped_bindings",
              capability: "member_like",
              bindings: { name: "name" },
            },
          },
        },
      },
    },
    capabilities: {
      member_query: { kind: "query", entity: "Member" },
      member_of: { kind: "query", entity: "Member", params: { friend: "→Member" } },
      member_like: { kind: "query", entity: "Member", params: { name: "str" } },
      member_get: { kind: "get", entity: "Member" },
      member_reset: {
        kind: "action",
        entity: "Member",
        more: () => ({ output: { type: "entity", entity_type: "Member" } }),
      },
      member_move: {
        kind: "action",
        entity: "Member",
        more: () => ({
          output: { type: "entity", entity_type: "Member" },
          provides: ["id", "lead"],
        }),
      },
    },
  }),
]);

const requests = (text: string): unknown => fullPlan(text, club).summary.bill.requests;

test("PLAN-020: the get that completes an effect's answer is billed with the relation", () => {
  expect(requests('r = Member("m1").reset()\nr.lead')).toEqual({ max: 3 });
  expect(requests('r = Member("m1").move()\nr.lead')).toEqual({ max: 2 });
  expect(requests('r = Member("m1")\nr.lead')).toEqual({ max: 2 });
  const { nodes } = fullPlan('r = Member("m1").reset()\nr.lead', club).summary.bill;
  expect(nodes["n2"]).toMatchObject({ requests: { max: 2 }, parents: "certain" });
  expect(linesOf('r = Member("m1").reset()\nr.lead', club).at(-1)).toBe(
    "n2 relation club.Member.lead get() ← n1 · ≤1 rows · ≤2 requests · a get per row of n1",
  );
});

test("PLAN-020: none where the relation reads the key alone", () => {
  expect(requests('r = Member("m1").reset()\nr.friends')).toEqual({ exact: 2 });
  expect(requests('r = Member("m1").reset()\nr.peers')).toEqual({ max: 3 });
});
