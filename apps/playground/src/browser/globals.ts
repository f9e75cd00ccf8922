/** What code for Node finds without an import. The page's first module: others use it as they are loaded. */
import { Buffer } from "buffer/";
import { goRound } from "./node-timers.ts";

Object.assign(globalThis, { Buffer, setImmediate: goRound });
