export { tasksDigest, type EvalPlan, runTrials } from "./evaluate.ts";
export { type CapabilityTool, capabilityTools } from "./capability-tools.ts";
export { type Trial, type TrialForm, VERDICTS, verdictsOf, type World } from "./trial.ts";
export { type AnswerExpected, isAnswered, meaning } from "./judge.ts";
export { commandModel, type Endpoint, endpointModel, type Model } from "./models.ts";
export { comparisonText, type EvalReport, type Price, reportText, sumsOf } from "./report.ts";
export { readTaskSet, type StartedApi, type TaskSet, TaskSetError } from "./task-set.ts";
