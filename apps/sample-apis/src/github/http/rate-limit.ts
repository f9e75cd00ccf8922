const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;

export interface RateLimits {
  /** requests an hour, 5,000 by default */
  readonly core?: number;
  /** searches a minute, 30 by default */
  readonly search?: number;
}

type Resource = "core" | "search";

interface Window {
  used: number;
  /** Unix seconds */
  reset: number;
}

const LENGTHS: Readonly<Record<Resource, number>> = {
  core: HOUR_SECONDS,
  search: MINUTE_SECONDS,
};

const resourceOf = (path: string): Resource => (path.startsWith("/search/") ? "search" : "core");

const error = (message: string, headers: Readonly<Record<string, string>>): Response =>
  Response.json(
    {
      message,
      documentation_url: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api",
    },
    { status: 403, headers },
  );

/** The answer to a client that is too fast, whatever it has left. */
export const secondaryLimit = (retryAfterSeconds: number): Response =>
  error(
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    { "retry-after": String(retryAfterSeconds) },
  );

/** The answer to a client that has nothing left until then. */
export const primaryLimit = (resetUnixSeconds: number): Response =>
  error("API rate limit exceeded.", {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(resetUnixSeconds),
  });

/** Counts requests per resource, in windows that begin with the first request. */
export class RateLimiter {
  readonly #limits: Readonly<Record<Resource, number>>;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor({ core = 5000, search = 30 }: RateLimits, now: () => number) {
    this.#limits = { core, search };
    this.#now = now;
  }

  /** Counts one; gives what its answer says of the limit, and the refusal if it is over. */
  take(login: string, path: string): { headers: Record<string, string>; refused?: Response } {
    const resource = resourceOf(path);
    const window = this.#windowOf(login, resource);
    const limit = this.#limits[resource];
    const over = window.used >= limit;
    if (!over) window.used += 1;
    const headers = {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(limit - window.used),
      "x-ratelimit-used": String(window.used),
      "x-ratelimit-reset": String(window.reset),
      "x-ratelimit-resource": resource,
    };
    if (!over) return { headers };
    return { headers, refused: error(`API rate limit exceeded for user ${login}.`, headers) };
  }

  /** Forgets what was used. */
  reset(): void {
    this.#windows.clear();
  }

  /** As `GET /rate_limit` tells it, which itself is not counted. */
  told(login: string): Readonly<Record<Resource, object>> {
    const of = (resource: Resource): object => {
      const { used, reset } = this.#windowOf(login, resource);
      const limit = this.#limits[resource];
      return { limit, used, remaining: limit - used, reset };
    };
    return { core: of("core"), search: of("search") };
  }

  #windowOf(login: string, resource: Resource): Window {
    const seconds = Math.floor(this.#now() / 1000);
    const key = `${login} ${resource}`;
    const found = this.#windows.get(key);
    if (found !== undefined && found.reset > seconds) return found;
    const fresh = { used: 0, reset: seconds + LENGTHS[resource] };
    this.#windows.set(key, fresh);
    return fresh;
  }
}
