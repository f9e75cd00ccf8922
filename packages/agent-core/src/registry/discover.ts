import { discover, type JsonObject } from "@plasm/core";
import type { Answer } from "../answer.ts";
import { fail } from "../errors/failure.ts";
import { refuseNoText } from "../errors/refuse-type.ts";
import type { Caller } from "../identity/caller.ts";
import type { CatalogRegistry, PolicyProvider } from "../ports.ts";

/** A search for seeds as a surface hands it in, before any check (TEACH-36). */
export interface DiscoverArguments {
  readonly intent?: unknown;
  readonly apis?: unknown;
  readonly limit?: unknown;
}

const DEFAULT_LIMIT = 8;
const MAX_LIMIT = 32;

function checkLimit(limit: unknown): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) {
    return limit;
  }
  throw fail("plasm-bad-request", `limit is a whole number from 1 to ${MAX_LIMIT}.`);
}

function checkApis(apis: unknown): readonly string[] | undefined {
  if (apis === undefined) return undefined;
  if (Array.isArray(apis) && apis.every((api) => typeof api === "string")) return apis;
  throw fail("plasm-bad-request", "apis is a list of catalog names.");
}

/** Finds entities for an intent among the catalogs the caller may use (TEACH-36 to TEACH-40). */
export async function discoverSeeds(
  registry: CatalogRegistry,
  policies: PolicyProvider,
  caller: Caller,
  request: DiscoverArguments,
): Promise<Answer> {
  const { intent } = request;
  if (typeof intent !== "string" || intent.trim() === "") {
    const given = typeof intent === "string" ? undefined : intent;
    throw refuseNoText("intent", given, "the goal in one sentence");
  }
  const apis = checkApis(request.apis);
  const catalogs = registry.list().map((one) => one.catalog);
  const found = discover(
    { intent, limit: checkLimit(request.limit), ...(apis === undefined ? {} : { apis }) },
    catalogs,
    await policies.policyOf(caller.scope),
  );
  if (!found.ok) throw fail("plasm-unknown-catalog", found.message);
  const options = found.options.map((option): JsonObject => ({ ...option }));
  return { text: found.text, meta: { options, omitted: found.omitted } };
}
