import type { JsonObject } from "@plasm/core";
import { HOSTILE_TEXTS } from "@plasm/testkit";
import { EVERYTHING } from "./hostile-api.ts";
import { looked } from "./looked-at.ts";

/** What an intent may say (SESS-1): no control but LF, no half of a pair. */
export const SAYABLE = HOSTILE_TEXTS.filter(
  // oxlint-disable-next-line no-control-regex -- naming them is the point
  ({ text }) => !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/u.test(text),
)
  .map(({ text }) => text)
  .join(" ");

export const SEEDS = [{ api: "quay", entity: "Boat" }];

/** What is asked for, of rows that hold everything. */
export const ROWS = "Boat.limit(12)[id, name, note]";

/** Documents that say everything, by names and paths that do. */
export const GRAFTS = {
  name: EVERYTHING,
  manifest_path: EVERYTHING,
  created_ts: EVERYTHING,
  guardrails: EVERYTHING.slice(0, 1_500),
  items: [
    {
      graft_id: "g01",
      source: EVERYTHING,
      path: EVERYTHING,
      mime: "text/markdown",
      content: SAYABLE,
    },
  ],
};

/** An answer whose body and headers have been looked at. */
interface LookedAt {
  readonly status: number;
  readonly type: string;
  readonly location: string;
  readonly text: string;
  json(): JsonObject;
}

/** A caller that sends anything, and looks at every byte that comes back. */
export type Call = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<LookedAt>;

export const callerOf =
  (url: string): Call =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const place = `${method} ${decodeURIComponent(path).slice(0, 40)}`;
    const said = [...response.headers].map((pair) => pair.join(": ")).join("\n");
    looked(`${response.statusText}\n${said}`, `${place}: headers`);
    const text = looked(await response.text(), place);
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      location: response.headers.get("location") ?? "",
      text,
      json: () => JSON.parse(text) as JsonObject,
    };
  };
