import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SampleApis, SampleApisOptions } from "../start-sample-apis.ts";
import { startSampleApis } from "../start-sample-apis.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, undefined if the answer is empty. */
  readonly body: unknown;
}

export const makeTemporaryDirectory = (): Promise<string> =>
  mkdtemp(join(tmpdir(), "sample-apis-"));

export const removeDirectory = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true });

/** Sends one request over a real socket; a body is sent as JSON, text as it is. */
export const send = async (
  method: string,
  url: string,
  body?: Readonly<Record<string, unknown>> | string,
): Promise<Answer> => {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const response = await fetch(url, text === undefined ? { method } : { method, body: text });
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: answer === "" ? undefined : JSON.parse(answer),
  };
};

export interface Started extends SampleApis, AsyncDisposable {
  readonly dataDir: string;
}

/** Both servers on ports of the system's choice; disposal ends them and removes their data. */
export const startForTest = async (options: Partial<SampleApisOptions> = {}): Promise<Started> => {
  const dataDir = options.dataDir ?? (await makeTemporaryDirectory());
  const apis = await startSampleApis({ ports: { quay: 0, yard: 0 }, ...options, dataDir });
  const dispose = async (): Promise<void> => {
    await apis.close();
    if (options.dataDir === undefined) await removeDirectory(dataDir);
  };
  return { ...apis, dataDir, [Symbol.asyncDispose]: dispose };
};
