import { Failure, type Engine } from "@plasm/agent-core";
import { problem } from "@plasm/agent-core/internal";

const absent = (): never => {
  throw new Error("this test expects no such call");
};

/** Methods of an engine as tests give them: an answer has what the test looks at. */
export type FakeMethods = {
  readonly [K in keyof Engine]?: Engine[K] extends (...given: infer Given) => Promise<infer Told>
    ? (...given: Given) => Promise<Told extends object ? object : Told>
    : Engine[K];
};

/** An engine that answers what a test gives it, and has a defect everywhere else. */
export const engineWith = (methods: FakeMethods = {}): Engine => ({
  context: absent,
  plan: absent,
  explain: absent,
  run: absent,
  discover: absent,
  registry: absent,
  registryEntry: absent,
  describe: absent,
  status: absent,
  symbols: absent,
  runs: absent,
  artifact: absent,
  fetchGraft: absent,
  attachGrafts: absent,
  grafts: absent,
  graft: absent,
  operation: absent,
  watchOperation: absent,
  onOperation: () => async () => undefined,
  tasks: {
    start: absent,
    adopt: absent,
    get: absent,
    result: absent,
    list: absent,
    cancel: absent,
  },
  beginCall: () => ({ signal: new AbortController().signal, end: () => undefined }),
  cancelCall: async () => undefined,
  readResource: absent,
  programs: {
    save: absent,
    import: absent,
    list: absent,
    find: absent,
    remove: absent,
    open: absent,
  },
  schedules: {
    create: absent,
    list: absent,
    find: absent,
    pause: absent,
    resume: absent,
    remove: absent,
    events: absent,
    told: absent,
    follow: absent,
  },
  operations: absent,
  operationOf: absent,
  cancelOperation: absent,
  traces: absent,
  trace: absent,
  watchTrace: absent,
  ping: async () => undefined,
  storage: async () => null,
  problemOf: (thrown) =>
    thrown instanceof Failure
      ? thrown.problem
      : problem("plasm-internal", "Internal error 1. Report this id to the operator."),
  noteRefusal: absent,
  drain: async () => undefined,
  close: async () => undefined,
  ...(methods as Partial<Engine>),
});
