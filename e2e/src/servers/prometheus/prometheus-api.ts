import type { Json, JsonObject } from "@plasm/core";

/** A series as an instant query shows it. */
export interface InstantSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** Prometheus asked directly, without Plasm. */
export interface PrometheusApi {
  /** `data` of an answer; throws if it is none of success. */
  data<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  /** What an instant query gives, now or at an RFC 3339 time. */
  vector(query: string, time?: string): Promise<readonly InstantSeries[]>;
}

interface Envelope extends JsonObject {
  readonly status: string;
  readonly data: Json;
}

export function prometheusApi(url: string): PrometheusApi {
  const data: PrometheusApi["data"] = async <T>(
    path: string,
    query: Readonly<Record<string, string>> = {},
  ) => {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
    const body = (await response.json()) as Envelope;
    if (body.status !== "success") throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data as T;
  };
  return {
    data,
    vector: async (query, time) => {
      const asked = { query, ...(time === undefined ? {} : { time }) };
      return (await data<{ readonly result: readonly InstantSeries[] }>("query", asked)).result;
    },
  };
}
