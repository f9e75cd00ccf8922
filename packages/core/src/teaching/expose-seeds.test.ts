import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { teach } from "../../test/teach.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { executableRows } from "../../test/executable-rows.ts";

const { exposure } = teach(fixtureCatalogs("orchard", "depot"), [
  [["orchard", "Tree"]],
  [["orchard", "Harvest"]],
  [["depot", "Harvest", "Crate"]],
]);
const rows = executableRows(exposure, ALL_FEATURES);

test("each row with the program it stands for and what it claims (TEACH-19)", () => {
  expect(
    rows.map(({ wave, kind, printed, filled, capability }) => [
      wave,
      kind,
      printed,
      filled,
      capability,
    ]),
  ).toEqual([
    [1, "head", "e1[p2,p4,p5,p7,p8]", "e1[p2,p4,p5,p7,p8]", "tree_query"],
    [1, "get", "e1($)", "e1(1)", "tree_get"],
    [1, "search", "e1~$", 'e1~"x"', "tree_search"],
    [1, "create", "e1.m1(p7=$, p5=$)", 'e1.m1(p7="x", p5="x")', "tree_create"],
    [1, "method", "e1($).m2()", "e1(1).m2()", "tree_delete"],
    [1, "method", "e1($).m4(p3=$)", "e1(1).m4(p3=2026-01-31)", "tree_prune"],
    [1, "method", "e1($).m7(..)", 'e1(1).m7(p7="x")', "tree_update"],
    [2, "head", "e2{p12=e1($)}[p13,p9,p10,p11]", "e2{p12=e1(1)}[p13,p9,p10,p11]", "harvest_query"],
    [2, "get", "e2(p13=$, p9=$)", "e2(p13=1, p9=2026-01-31)", "harvest_get"],
    [2, "relation", "e2(p13=$, p9=$).p12", "e2(p13=1, p9=2026-01-31).p12", "tree_get"],
    [
      2,
      "create",
      "e2.m8(p12=e1($), p9=$, p10=$)",
      "e2.m8(p12=e1(1), p9=2026-01-31, p10=1.5)",
      "harvest_create",
    ],
    [2, "relation", "e1($).p1", "e1(1).p1", "harvest_query"],
    [3, "head", "e3[p2,p16,p8]", "e3[p2,p16,p8]", "crate_query"],
    [3, "get", "e3($)", "e3(3f0b1a52-0c4e-4a57-9d2e-5b8a6c7d9e10)", "crate_get"],
    [3, "head", "e4[p2,p10,p17]", "e4[p2,p10,p17]", "harvest_query"],
    [3, "get", "e4($)", "e4(1)", "harvest_get"],
    [3, "relation", "e4($).p15", "e4(1).p15", null],
    [
      3,
      "method",
      "e4($).m13(p14=[$])",
      "e4(1).m13(p14=[3f0b1a52-0c4e-4a57-9d2e-5b8a6c7d9e10])",
      "harvest_accept",
    ],
  ]);
});

test("a row claims the entity of its own catalog, and its result (TEACH-19, SESS-21)", () => {
  const accept = rows.find(({ capability }) => capability === "harvest_accept");
  const harvest = { entryId: "depot", entity: "Harvest" };
  expect(accept).toMatchObject({
    entity: harvest,
    result: { kind: "rows", card: "one", entity: harvest },
  });
  const prune = rows.find(({ capability }) => capability === "tree_prune");
  expect(prune?.result).toEqual({ kind: "nothing" });
});
