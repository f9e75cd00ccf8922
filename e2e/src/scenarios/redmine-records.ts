import type { JsonObject } from "@plasm/core";

/** An issue as Redmine itself shows it, with what was done to it. */
export interface IssueRecord {
  readonly id: number;
  readonly subject: string;
  readonly description: string;
  readonly priority: { readonly id: number };
  readonly done_ratio: number;
  readonly updated_on: string;
}

export interface JournalRecord {
  readonly notes: string;
  readonly details: readonly JsonObject[];
}

export interface TimeRecord {
  readonly id: number;
  readonly issue: { readonly id: number };
  readonly activity: { readonly id: number };
  readonly hours: number;
  readonly comments: string;
  readonly spent_on: string;
}

/** How many there are, and those changed last, newest first. */
export interface Latest<T> {
  readonly total: number;
  readonly latest: readonly T[];
}

/** Where any effect of these scenarios shows. */
export interface RedmineState {
  readonly issues: Latest<IssueRecord>;
  readonly times: Latest<TimeRecord>;
  /** of the issues asked for, those that are there */
  readonly journals: Readonly<Record<number, readonly JournalRecord[]>>;
}

/** Redmine asked and written to directly, without Plasm. */
export interface RedmineRecords {
  state(journalsOf: readonly number[]): Promise<RedmineState>;
  /** Adds an object; gives its id. */
  add(path: string, member: string, value: JsonObject): Promise<number>;
}

const LATEST = 15;

/** With an administrator's key. */
export function redmineRecords(url: string, key: string): RedmineRecords {
  const headers = { "X-Redmine-API-Key": key, "Content-Type": "application/json" };
  async function read(path: string): Promise<JsonObject | null> {
    const response = await fetch(`${url}${path}`, { headers });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as JsonObject;
  }
  async function latest<T>(name: string, query: string): Promise<Latest<T>> {
    const body = (await read(`/${name}.json?${query}&limit=${LATEST}`)) as unknown as {
      readonly total_count: number;
    } & Readonly<Record<string, readonly T[]>>;
    return { total: body.total_count, latest: body[name] ?? [] };
  }
  async function journals(id: number): Promise<readonly JournalRecord[] | null> {
    const found = await read(`/issues/${id}.json?include=journals`);
    const issue = found?.["issue"] as unknown as { journals: readonly JournalRecord[] } | undefined;
    return issue?.journals ?? null;
  }
  return {
    async state(ids) {
      const kept = await Promise.all(ids.map(async (id) => [id, await journals(id)] as const));
      return {
        issues: await latest<IssueRecord>("issues", "status_id=*&sort=updated_on:desc,id:desc"),
        times: await latest<TimeRecord>("time_entries", "sort=spent_on:desc,id:desc"),
        journals: Object.fromEntries(kept.flatMap(([id, list]) => (list ? [[id, list]] : []))),
      };
    },
    async add(path, member, value) {
      const body = JSON.stringify({ [member]: value });
      const response = await fetch(`${url}${path}`, { method: "POST", headers, body });
      if (response.status !== 201) throw new Error(`${path} answered ${response.status}`);
      const made = (await response.json()) as Readonly<Record<string, { readonly id: number }>>;
      const id = made[member]?.id;
      if (id === undefined) throw new Error(`${path} told no id`);
      return id;
    },
  };
}
