export { FORMS, runSet, type SetRun, type SetTrial } from "./run-set.ts";
