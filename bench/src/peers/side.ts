import type { PeerTask } from "./peer-task.ts";
import type { Transcript } from "./transcript.ts";

/** What a conversation has learnt so far: a side asks for nothing twice. */
export interface Memory {
  readonly learnt: Set<string>;
  /** what the conversation is for, the same as long as it lasts */
  readonly intent: string;
  /** whether nothing is to be changed in it */
  readonly onlyReads: boolean;
  /** Plasm's session */
  ref?: string;
}

export const freshMemory = (intent: string, onlyReads = false): Memory => ({
  learnt: new Set(),
  intent,
  onlyReads,
});

/** That of a conversation which is about one task alone. */
export const memoryFor = ({ name, after }: PeerTask): Memory =>
  freshMemory(name, after === undefined);

/** One way to let a model use both vendors. */
export interface Side {
  readonly name: string;
  /** what stands before every conversation: instructions, then the tools as compact JSON */
  readonly definitions: string;
  /** Does a task as shortly as this side can, and learns first what the memory lacks. */
  play(task: PeerTask, memory: Memory): Promise<Transcript>;
  close(): Promise<void>;
}
