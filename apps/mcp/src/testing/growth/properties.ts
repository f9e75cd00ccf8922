import { boundedProperty } from "@plasm/testkit";
import { arbitraryCall } from "./tool-calls.ts";

export const boundedCalls = boundedProperty({
  key: "growth-tool-arguments",
  says: "no argument of a tool takes more than 1 s of CPU or 64 MB, or is answered as a defect (SURF-6)",
  runs: 100,
  inputs: arbitraryCall,
  thread: new URL("thread.ts", import.meta.url),
});

export const properties = [boundedCalls];
