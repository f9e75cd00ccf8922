import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiProblem, call } from "../api.ts";
import { asProblem } from "./work.ts";

/** What a path of the API gave last, and what is wrong now. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly problem: ApiProblem | null;
  readonly isLoading: boolean;
  reload(): void;
}

/** What asking again does not help: nobody is signed in, or may see it, or it is gone. */
export const ENDS: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Loads a path, and again every so many ms while somebody looks at the page. What was loaded last stays while the server
 * cannot say more. Nothing is asked for with null.
 */
export function useLoad<T>(path: string | null, every?: number): Loaded<T> {
  const [state, setState] = useState<{
    path: string | null;
    data: T | null;
    problem: ApiProblem | null;
    isLoading: boolean;
  }>({
    path,
    data: null,
    problem: null,
    isLoading: path !== null,
  });
  const [turn, setTurn] = useState(0);
  const pathNow = useRef(path);
  pathNow.current = path;
  useEffect(() => {
    if (path === null) return undefined;
    const gone = new AbortController();
    const load = async () => {
      const { signal } = gone;
      try {
        const data = await call<T>(path, { signal });
        if (!signal.aborted) setState({ path, data, problem: null, isLoading: false });
      } catch (thrown) {
        if (signal.aborted) return;
        const problem = asProblem(thrown);
        setState((before) => ({
          path,
          // What may not be seen any more, or is gone, is not shown on. Anything else is the server's trouble, not the reader's.
          data: ENDS.has(problem.status) || before.path !== path ? null : before.data,
          problem,
          isLoading: false,
        }));
      }
    };
    void load();
    const timer =
      every === undefined
        ? undefined
        : setInterval(() => {
            if (document.visibilityState === "visible") void load();
          }, every);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, [path, turn, every]);
  const own = state.path === path;
  return {
    data: own ? state.data : null,
    problem: own ? state.problem : null,
    isLoading: path !== null && (own ? state.isLoading : true),
    reload: () => setTurn((n) => n + 1),
  };
}
