import { useState } from "preact/hooks";
import { ApiProblem } from "../api.ts";

/** What was thrown, as it is shown. */
export const asProblem = (thrown: unknown): ApiProblem =>
  thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown));

/** Work that a person has asked for: whether it is under way, and what it failed with. */
export function useAskedWork() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, run };
}
