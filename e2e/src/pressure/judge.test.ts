import { expect, test } from "vitest";
import { changedStories, defectFaults, faultsOf, judge } from "./judge.ts";
import { newRun, type Ending, type Run } from "./run.ts";

/** A run whose effects were told as `endings` says; what it does not name is told as done. */
function toldRun(endings: Readonly<Record<string, Ending>>, text = "", status = 502): Run {
  const run = newRun("m", "wait");
  const effects = [...run.expected].map(([name, line]) => {
    return { name, line, ending: endings[name] ?? ("done" as const), status: null };
  });
  return { ...run, ref: "pc0", sent: true, final: { status, code: "", text, effects } };
}

const ALL = [...newRun("m", "wait").expected.keys()];

/** An API that performed each of these once. */
const performed = (...names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name) => [name, 1]));

const kindsOf = (run: Run, log: ReadonlyMap<string, number>): readonly string[] =>
  faultsOf(judge([run], log)).map((fault) => fault.split(":")[0] ?? "");

test("a run that is told as it happened has no fault", () => {
  const done = toldRun({}, "", 200);
  expect(judge([done], performed(...ALL))).toMatchObject({ runs: 1, effects: 7, done: 7 });
  expect(kindsOf(done, performed(...ALL))).toEqual([]);
});

test("what is in doubt may have happened or not", () => {
  const doubt = toldRun({ "delete m-d": "in_doubt" }, "", 200);
  expect(kindsOf(doubt, performed(...ALL))).toEqual([]);
  expect(kindsOf(doubt, performed(...ALL.slice(0, -1)))).toEqual([]);
});

test.each<[string, Run, ReadonlyMap<string, number>]>([
  ["duplicated", toldRun({}, "", 200), new Map([...performed(...ALL), ["edit m-2", 2]])],
  ["lost", toldRun({}, "", 200), performed(...ALL.slice(1))],
  ["unreported", toldRun({ "stamp m-3": "skipped" }, "", 200), performed(...ALL)],
  ["unreported", toldRun({ "stamp m-3": "failed" }, "", 200), performed(...ALL)],
  ["unreviewed", toldRun({}, "", 200), performed(...ALL, "create of nobody")],
  ["unreviewed", { ...newRun("m", "wait"), ref: "pc0" }, performed("edit m-2")],
  ["unanswered", { ...newRun("m", "wait"), ref: "pc0", sent: true }, performed(...ALL)],
])("what is %s is found", (kind, run, log) => {
  expect(new Set(kindsOf(run, log))).toEqual(new Set([kind]));
});

const REST = ["create m-r0", "create m-r1", "create m-r2", "edit m-2", "stamp m-3", "delete m-d"];
const skipped = Object.fromEntries(REST.map((name) => [name, "skipped" as const]));
const NOTHING = "no effect was performed, so the whole program may be planned and run again";

test.each<[string, Run, ReadonlyMap<string, number>]>([
  [
    "repeats all",
    toldRun({ ...skipped, "create m-0": "in_doubt" }, NOTHING),
    performed("create m-0"),
  ],
  [
    "keeps silent on what is done",
    toldRun(skipped, "plan what was not started"),
    performed("create m-0"),
  ],
  [
    "keeps back what was not done",
    toldRun({ ...skipped, "create m-0": "in_doubt" }, "do not repeat line 1, its effect is done"),
    performed(),
  ],
])("18.4 advice that %s is found", (_, run, log) => {
  expect(kindsOf(run, log)).toEqual(["misadvised"]);
});

test("18.4 advice that is right is no fault", () => {
  const right = toldRun(skipped, "do not repeat line 1, its effect is done");
  expect(kindsOf(right, performed("create m-0"))).toEqual([]);
});

test("a story that changes is found", () => {
  const run = toldRun({});
  expect(changedStories([run], new Map([["m", "create m-0 done"]]))).toHaveLength(1);
});

test("an answer of status 500 is told with what a server logged under its id, and with nothing else", () => {
  const [id, other] = [1, 2].map((n) => `38b0e0b2-0000-4000-8000-00000000000${n}`);
  const log = [
    `{"msg":"internal error ${other}"}`,
    `{"err":"it broke","msg":"internal error ${id}"}`,
  ];
  const servers = [
    { name: "one", said: () => "Plasm listens\n" },
    { name: "two", said: () => log.join("\n") },
  ];
  expect(defectFaults([`Internal error ${id}. Report it.`, "Bad"], servers)).toEqual([
    `answered 500: Internal error ${id}. Report it.\n    two logged: ${log[1]}`,
    "answered 500: Bad",
  ]);
});
