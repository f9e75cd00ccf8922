/**
 * One entry for each fault that `pnpm prove-gates` plants: the gate that must catch it, the words by which
 * its output must name it, and what narrows the gate so that the proof is quick.
 */
import { codeFaults } from "./faults/code.mjs";
import { purityFaults } from "./faults/purity.mjs";
import { releaseFaults } from "./faults/release.mjs";
import { roomFaults } from "./faults/rooms.mjs";
import { sizeFaults } from "./faults/sizes.mjs";

export const faults = Object.freeze([
  ...codeFaults,
  ...purityFaults,
  ...roomFaults,
  ...sizeFaults,
  ...releaseFaults,
]);
