import type { PeerTask } from "../peer-task.ts";
import { CHAINS } from "./chains.ts";
import { FAN_OUTS } from "./fan-outs.ts";
import { MORE_CHAINS } from "./more-chains.ts";
import { MORE_FAN_OUTS } from "./more-fan-outs.ts";
import { MORE_VENDORS } from "./more-vendors.ts";
import { ONE_CALL } from "./one-call.ts";
import { TWO_VENDORS } from "./two-vendors.ts";

/** All thirty. */
export const PEER_TASKS: readonly PeerTask[] = [
  ...ONE_CALL,
  ...CHAINS,
  ...MORE_CHAINS,
  ...FAN_OUTS,
  ...MORE_FAN_OUTS,
  ...TWO_VENDORS,
  ...MORE_VENDORS,
];
