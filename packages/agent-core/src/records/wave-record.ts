import type { WaveEntry, WaveText } from "@plasm/core";

/** One exposure step as it was taught; never re-rendered (TEACH-30). */
export interface WaveRecord {
  /** from 1, without gaps */
  readonly n: number;
  readonly mode: "open" | "expand" | "federate";
  readonly entry: WaveEntry;
  readonly text: string;
  readonly parts: WaveText["parts"];
  /** first and last number of each family this wave allotted, null if none */
  readonly e: readonly [number, number];
  readonly m: readonly [number, number] | null;
  readonly p: readonly [number, number] | null;
  readonly tokens: number;
  readonly untaught: WaveText["untaught"];
  /** descriptions that its table shows in part, if there are any; waves stored earlier say nothing of them */
  readonly cut?: WaveText["cut"];
}
