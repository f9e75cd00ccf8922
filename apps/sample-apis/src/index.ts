export type { RecordedRequest, RequestHook, SampleApiName } from "./request-log.ts";
export { StartError } from "./start-error.ts";
export type { SampleApis, SampleApisOptions } from "./start-sample-apis.ts";
export { defaultPorts, startSampleApis } from "./start-sample-apis.ts";
