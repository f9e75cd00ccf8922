import type { BoatsApi } from "./boats-api.ts";

/** Requests that stand still: `reached` when the first has come, `letGo` ends it for all. */
interface HeldRequests {
  readonly reached: Promise<void>;
  readonly letGo: () => void;
}

/** Holds the reads or the writes that come to an API from now on. */
export function holdRequests(api: BoatsApi, kind: "reads" | "writes"): HeldRequests {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const reached = new Promise<void>((resolve) => {
    api.before = async ({ method }) => {
      if ((method === "GET") !== (kind === "reads")) return null;
      resolve();
      await held;
      return null;
    };
  });
  return { reached, letGo };
}
