import { renderPlan } from "@plasm/core";
import { expect, test } from "vitest";
import { startServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../../testing/fixture-run.ts";
import { planProgram } from "../../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  member: { type: entity_ref, target: Member }
entities:
  Member:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text }, lead: { value_ref: member } }
capabilities:
  member_get: { kind: get, entity: Member }
  member_reset: { kind: action, entity: Member, output: { type: entity, entity_type: Member } }
`;
const path = "path: [{ type: literal, value: members }, { type: var, name: id }]";
const MAPPINGS = `
member_get: { method: GET, ${path}, response: single }
member_reset: { method: POST, ${path}, response: single }
`;

test.each([
  ["a relation", 'r = Member("a").reset()\nr.lead'],
  ["a join", 'r = Member("a").reset()\nr[id, lead.name]'],
])(
  "17 PLAN-020: an effect that answers the key alone is completed by the get that the bill has: %s",
  async (_what, text) => {
    const server = await startServer(({ method, path: asked }) => {
      const id = asked.split("/").at(-1);
      return { json: method === "POST" ? { id } : { id, lead: "b" } };
    });
    const catalogs = [catalogOf("club", DOMAIN, MAPPINGS)];
    const plan = planProgram(text, catalogs);
    const outcome = await run(
      { catalogs, backends: { club: server.url } },
      plan.nodes,
      plan.returns,
    );
    await server.close();
    expect(outcome.status).toBe("succeeded");
    expect(server.log.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /members/a",
      "GET /members/a",
      "GET /members/b",
    ]);
    expect(plan.summary.bill.requests).toEqual({ max: 3 });
    expect(renderPlan(plan, "pc0")).toContain("a get per row of n1");
  },
);
