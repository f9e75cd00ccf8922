import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Harbour, startHarbour } from "@plasm/testkit/servers";
import { contextOf, fixture, type Setting } from "../../testing/fixture-run.ts";
import { planProgram } from "../../testing/run-program.ts";
import { explainPlan, type ExplainOutcome } from "../run-plan.ts";

const quay = fixture("quay");

let harbour: Harbour;
let setting: Setting;

beforeEach(async () => {
  harbour = await startHarbour(4);
  setting = { catalogs: [quay], backends: { quay: harbour.server.url } };
});
afterEach(() => harbour.server.close());

const explain = (text: string, own: Setting = setting): Promise<ExplainOutcome> =>
  explainPlan({ ...contextOf(own), plan: planProgram(text, own.catalogs) });

const sent = (): readonly string[] =>
  harbour.server.log.map(({ method, path }) => `${method} ${path}`);

/** Each effect on one line: kind, target, arguments, and what it would change. */
const lines = ({ effects }: ExplainOutcome): readonly string[] =>
  effects.map(({ kind, label, target, args, changes }) => {
    const changed = changes.map(
      ({ field, before, after }) =>
        `${field} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    );
    return [kind, label, target ?? "new", JSON.stringify(args), ...changed].join(" · ");
  });

describe("G8 OPS-38: explain sends no effect", () => {
  test("an update: its target, and its fields before and after, read by a get", async () => {
    const outcome = await explain('Boat("b1").update(name="x", note=null)');
    expect(lines(outcome)).toEqual([
      'update · update · Boat:b1 · {"name":"x","note":null} · name "Boat 1" -> "x" · note "note of b1" -> null',
    ]);
    expect(sent()).toEqual(["GET /boats/b1"]);
    expect(outcome.nodes).toMatchObject([{ status: "skipped", reason: "explain sends no effect" }]);
  });

  test("an effect per row: each real target, from the rows that were read", async () => {
    const outcome = await explain(
      "r = Boat{state=lost}[id, name]\nr => Boat(_.id).send(to=a, note=_.name)\nr",
    );
    expect(lines(outcome)).toEqual(['action · send · Boat:b3 · {"note":"Boat 3","to":"a"}']);
    expect(harbour.performed).toEqual([]);
    expect(outcome.results.map(({ label, rows }) => [label, rows.length])).toEqual([["r", 1]]);
  });

  test("rows at hand are not read again for what they were before", async () => {
    const outcome = await explain("r = Boat{state=lost}\nr => Boat(_.id).update(name=y)");
    expect(lines(outcome)).toEqual([
      'update · update · Boat:b3 · {"name":"y"} · name "Boat 3" -> "y"',
    ]);
    expect(sent()).toHaveLength(1);
  });

  test("what needs the answer of an effect is said to be behind it, and nothing runs on no rows", async () => {
    const outcome = await explain("n = Boat.create(name=x, owner=ann)\nBoat(n.id).ping()\nn[id]");
    expect(outcome.effects).toMatchObject([
      { kind: "create", target: null, args: { name: "x", owner: "ann" }, behind: null },
      { kind: "action", label: "ping", target: null, behind: "n1" },
    ]);
    expect(outcome.results).toEqual([]);
    expect(sent()).toEqual([]);
  });

  test("an effect that a run could not fill is told with its error; the others still are", async () => {
    const outcome = await explain(
      'g = Boat("b9")\nBoat("b1").send(to=g.name, note=x)\nBoat("b2").ping()',
    );
    expect(outcome.effects).toMatchObject([
      { label: "send", behind: "n1" },
      { label: "ping", target: "Boat:b2", error: null, behind: null },
    ]);
    const nothing = await explain(
      'r = Boat{name=nobody}.limit(1)\nBoat("b1").send(to=r.name, note=x)',
    );
    expect(nothing.effects).toMatchObject([{ label: "send", error: { code: "no_row" } }]);
  });

  test("PLAN-052 more rows than fan_out are one error, and none of them is listed", async () => {
    const outcome = await explain("Boat => Boat(_.id).ping()", {
      ...setting,
      limits: { fan_out: 2 },
    });
    expect(outcome.effects).toMatchObject([
      { label: "ping", target: null, error: { code: "budget_exceeded" } },
    ]);
  });

  test("the budget of requests ends it; what was told until then stays", async () => {
    const outcome = await explain('Boat("b1").update(name=x)\nBoat("b2").update(name=x)', {
      ...setting,
      limits: { requests: 1 },
    });
    expect(outcome.effects.map(({ changes }) => changes[0]?.before)).toEqual(["Boat 1", undefined]);
    expect(sent()).toHaveLength(1);
  });
});
