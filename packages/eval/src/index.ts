export {
  tasksDigest,
  type EvalPlan,
  runTrials,
  type Trial,
  VERDICTS,
  verdictsOf,
  type World,
} from "./evaluate.ts";
export { type AnswerExpected, isAnswered, meaning } from "./judge.ts";
export { commandModel, type Endpoint, endpointModel, type Model } from "./models.ts";
export { comparisonText, type EvalReport, type Price, reportText, sumsOf } from "./report.ts";
export { readTaskSet, type StartedApi, type TaskSet, TaskSetError } from "./task-set.ts";
