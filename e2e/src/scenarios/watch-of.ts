import { expect } from "vitest";

const PATIENCE = { timeout: 60_000, interval: 200 };
/** Once a year: what is read is read because somebody told. */
const YEARLY = "0 5 1 1 *";

/** A request by which an API tells. */
export interface Told {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface View {
  readonly schedule_uuid: string;
  readonly runs: readonly { readonly message: string | null }[];
  readonly watch: { readonly reading: number; readonly webhook: { readonly path: string } };
}

interface Found {
  readonly kind: string;
  readonly key: Readonly<Record<string, unknown>>;
}

async function ask<T>(url: string, path: string, body?: object): Promise<T> {
  const response = await fetch(
    url + path,
    body === undefined
      ? {}
      : {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        },
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** A watch of a program on a server that asks nobody who they are, which reads when its API tells. */
export async function watchOf(
  url: string,
  asked: { readonly program: string; readonly entities: string; readonly webhook: string },
) {
  const text = `;; name: watched_rows\n;; description: x\n;; parameters:\n;; shared: yes\n;; entities: ${asked.entities}\n\n${asked.program}\n`;
  await ask(url, "/v1/programs", { text });
  const made = await ask<View>(url, "/v1/schedules", {
    program: "watched_rows",
    cron: YEARLY,
    watch: true,
    webhook: asked.webhook,
  });
  const path = `/v1/schedules/${made.schedule_uuid}`;
  return {
    /** Sends what an API tells, and gives the status. */
    told: async ({ body, headers }: Told): Promise<number> =>
      (await fetch(url + made.watch.webhook.path, { method: "POST", body, headers })).status,
    /** Waits until there were so many readings; fails with what became of them. */
    readings: (count: number): Promise<void> =>
      expect
        .poll(async () => {
          const { runs, watch } = await ask<View>(url, path);
          return `${watch.reading} of ${count}: ${runs[0]?.message ?? ""}`;
        }, PATIENCE)
        .toMatch(new RegExp(`^${count} of`)),
    /** What was found so far, each with a part of its key, sorted. */
    events: async (part: string): Promise<readonly string[]> => {
      const { events } = await ask<{ readonly events: readonly Found[] }>(url, `${path}/events`);
      return events.map(({ kind, key }) => `${kind} ${String(key[part])}`).toSorted();
    },
  };
}
