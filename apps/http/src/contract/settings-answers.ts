import { z } from "zod";

/** What the routes of settings answer (SURF-36, SURF-38). */
const json = z.unknown();
const access = z.enum(["read", "effect", "client", "operator", "forbidden"]);
const timeOrNull = z.string().nullable();

export const settingsSchema = z.object({
  tenant: z.string(),
  policy: z.object({
    name: z.string().describe("where it is from"),
    force: z.boolean().describe("an effect may run by its agent's word alone"),
    rules: json.describe("the policy but for budgets and quotas"),
  }),
  catalogs: z
    .array(
      z.object({
        entry_id: z.string(),
        read: z.int(),
        effect: z.int(),
        client: z.int(),
        operator: z.int(),
        forbidden: z.int(),
      }),
    )
    .describe("capabilities of each catalog, by what may be done with them"),
  budgets: z.array(
    z.object({
      name: z.string(),
      most: z.number(),
      from: z.enum(["policy", "server", "default"]),
    }),
  ),
  quotas: z.array(
    z.object({
      place: z.string().describe("where it stands in the policy"),
      caller: timeOrNull.optional().describe("whose use it is, of a quota of each caller"),
      measure: z.string(),
      per: z.enum(["minute", "day"]),
      most: z.number(),
      used: z.number(),
      ends_at: z.string(),
    }),
  ),
  keys: z.array(
    z.object({
      id: z.string(),
      subject: z.string(),
      role: z.string(),
      scopes: z.array(z.string()).nullable().describe("null for all"),
      act_as: z.array(z.string()),
      created_at: z.string(),
      rotated_at: timeOrNull,
      expires_at: timeOrNull,
      is_expired: z.boolean(),
      last_used_at: timeOrNull.describe("to the minute"),
    }),
  ),
  notifications: z.array(z.object({ kind: z.enum(["webhook", "email"]), host: z.string() })),
});

export const catalogSettingsSchema = z.object({
  entry_id: z.string(),
  capabilities: z.array(
    z.object({ capability: z.string(), kind: z.string(), access, rule: z.string() }),
  ),
  drift: z.object({
    since: z.string().describe("the first of the 30 days that are counted, over all processes"),
    signs: z.array(
      z.object({
        entry_id: z.string(),
        sign: z.string(),
        count: z.int(),
        last: z.string().describe("entity, field and sign of the last one, without a value"),
        last_at: z.string(),
      }),
    ),
  }),
});
