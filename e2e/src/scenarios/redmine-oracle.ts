/** An issue as Redmine's own list shows it. */
export interface RedmineIssue {
  readonly id: number;
  readonly subject: string;
  readonly project: { readonly id: number; readonly name: string };
  readonly due_date: string | null;
  readonly done_ratio: number;
}

export interface RedmineProject {
  readonly id: number;
  readonly name: string;
}

/** Redmine asked directly, without Plasm. */
export interface RedmineOracle {
  issues(query: string): Promise<readonly RedmineIssue[]>;
  projects(): Promise<readonly RedmineProject[]>;
}

const PAGE = 100;

/** Asks for every page of a list, with an administrator's key. */
export function redmineOracle(url: string, key: string): RedmineOracle {
  async function all<T>(name: string, query: string): Promise<readonly T[]> {
    const rows: T[] = [];
    for (let total = 1; rows.length < total;) {
      const address = `${url}/${name}.json?${query}&limit=${PAGE}&offset=${rows.length}`;
      const response = await fetch(address, { headers: { "X-Redmine-API-Key": key } });
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      const body = (await response.json()) as { total_count: number } & Record<string, T[]>;
      rows.push(...(body[name] ?? []));
      total = body.total_count;
    }
    return rows;
  }
  return {
    issues: (query) => all<RedmineIssue>("issues", query),
    projects: () => all<RedmineProject>("projects", ""),
  };
}
