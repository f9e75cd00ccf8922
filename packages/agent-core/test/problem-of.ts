import { Failure, type Problem } from "../src/errors/problem.ts";

/** What a call is refused with; throws if it is not. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof Failure) return thrown.problem;
  throw new Error("A Failure was expected", { cause: thrown });
}
