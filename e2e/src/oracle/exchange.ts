import type { Cell } from "./model.ts";

/** A request of a world, without the path that the world stands under. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: { readonly [name: string]: Cell };
  /** the address that the world stands under */
  readonly base: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined for no body */
  readonly json: unknown;
}
