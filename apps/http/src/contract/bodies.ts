import { z } from "zod";

/**
 * What requests hold. A route reads its body by one of these (wire/read-by.ts), and the document at
 * /v1/openapi.json shows the same. Descriptions end sentences such as `limit is 99, and must be …`.
 */

const seed = z
  .object({
    api: z
      .string()
      .regex(/\S/)
      .describe(
        "the id or an alias of a catalog, not blank; needed where several have the entity, and alone for what the goal needs of it",
      )
      .optional(),
    entity: z
      .string()
      .regex(/\S/)
      .describe("the name of an entity, or the goal's word for it, not blank")
      .optional(),
    account: z
      .string()
      .regex(/\S/)
      .describe("the label of one of several accounts that the caller has with the API, not blank")
      .optional(),
  })
  .describe('{"entity": …}, with "api" where several catalogs have one, or {"api": …}');

const SEEDS = 'a list of at least one {"entity": …}, with "api" where several catalogs have one';

const seeds = z.array(seed).min(1).describe(SEEDS);

/** An empty list is refused by who knows the goal, and can say what there is (SURF-18). */
const seedsOfGoal = z.array(seed).meta({ description: SEEDS, minItems: 1 });

const pin = z
  .object({
    api: z.string().describe("the id or an alias of a catalog"),
    digest: z
      .string()
      .regex(/^(?:sha256:)?[0-9a-f]{64}$/)
      .describe("sha256: and 64 hexadecimal digits"),
  })
  .describe('{"api": …, "digest": "sha256:…"}');

const truth = (what: string) => z.boolean().describe(`true or false: ${what}`);

/** POST /v1/discover (TEACH-36). */
export const discoverBody = z
  .strictObject({
    intent: z.string().regex(/\S/).describe("the goal in one sentence"),
    apis: z.array(z.string().describe("the name of a catalog")).describe("a list of catalog names"),
    limit: z.int().min(1).max(32).describe("a whole number from 1 to 32"),
  })
  .partial({ apis: true, limit: true });

/** POST /execute (SURF-16): `seeds`, or `entry_id` with `entities`. */
export const openBody = z
  .strictObject({
    seeds: seedsOfGoal,
    entry_id: z.string().describe("a catalog's id"),
    entities: z.array(z.string().describe("the name of an entity")).describe("a list of names"),
    intent: z.string().describe("the goal in one sentence"),
    notation: z.enum(["symbols", "names"]).describe('"symbols" or "names"'),
    read_only: truth("whether the session only reads"),
    detail: truth("add the tables of the seeds with all that they have"),
    pins: z.array(pin).describe('a list of {"api": …, "digest": "sha256:…"}'),
    principal: z.string().describe("the name of a user, as text"),
  })
  .partial();

/** A set of documents (GRAFT-1); its own reader names every fault of it. */
const graftSet = z
  .looseObject({
    name: z.unknown(),
    manifest_path: z.unknown(),
    created_ts: z.unknown(),
    guardrails: z.unknown().optional(),
    items: z.unknown(),
  })
  .describe("an object: name, manifest_path, created_ts, items");

/** POST …/context (SURF-16, A38). */
export const contextBody = z.strictObject({
  seeds: seeds.optional(),
  replay: truth("send all tables again").optional(),
  detail: truth("add the tables of the seeds with all that they have").optional(),
  read_only: truth("whether the session is one that only reads").optional(),
  grafts: graftSet.optional(),
});

/** POST …/grafts (GRAFT-2): the set, or an object with it as `grafts`; read by the reader of sets. */
export const graftsBody = z
  .strictObject({ ...graftSet.shape, grafts: graftSet, user_id: z.string() })
  .partial();

/** POST …: a program with its arguments, or the ref of a plan instead of one (OPS-3, OPS-34). */
export const programBody = z.strictObject({
  program: z.string().describe("one text, statements by line").optional(),
  mode: z.enum(["plan", "explain", "run"]).describe("plan, explain or run").optional(),
  wait: truth("whether to wait for the end of a long run").optional(),
  force: truth("whether to run without review").optional(),
  plan_commit_ref: z
    .string()
    .describe("the pcN of a plan, such as pc0, which alone runs what was planned")
    .optional(),
});

const labels = z
  .array(z.string().describe("a label that the program binds to a plain value"))
  .describe(
    "a list of labels that the program binds to plain values, which calls may give other ones",
  );

/** POST /v1/programs (SAV-01, SAV-07): a plan of a session with a name, or the text of a saved program. */
export const saveBody = z
  .strictObject({
    session: z
      .string()
      .describe("a session of the caller: its path /execute/…, or its ref, such as s0"),
    plan_commit_ref: z.string().describe("the pcN of a plan of that session, such as pc0"),
    name: z.string().describe("a name such as weekly_report: 2 to 60 of a-z, 0-9 and _"),
    description: z.string().describe("one line of text"),
    parameters: labels,
    shared: truth("whether the whole tenant may run it"),
    text: z.string().describe("the text of a saved program, which comes alone"),
  })
  .partial();

/** POST /v1/schedules (SAV-17). */
export const scheduleBody = z
  .strictObject({
    program: z.string().describe("the name of a saved program"),
    watch: truth("whether its rows are compared with those of the time before"),
    key: z
      .array(z.string().describe("the name of a column"))
      .describe("a list of the columns by which a watch knows rows again"),
    webhook: z
      .string()
      .describe("the webhook at which a watch reads, too: its catalog, a dot and its name"),
    cron: z
      .string()
      .describe("five fields: minute, hour, day of the month, month and day of the week"),
    zone: z.string().describe("the name of a time zone, such as Europe/Berlin").optional(),
    arguments: z
      .record(z.string(), z.unknown())
      .describe("an object: for each parameter that is not to have its default, its value")
      .optional(),
  })
  .partial({ zone: true, arguments: true, watch: true, key: true, webhook: true });

/** POST /v1/programs/{name}/run (SAV-04). */
export const callBody = z
  .strictObject({
    arguments: z
      .record(z.string(), z.unknown())
      .describe("an object: for each parameter that is not to have its default, its value"),
    mode: z.enum(["plan", "explain", "run"]).describe("plan, explain or run"),
    wait: truth("whether to wait for the end of a long run"),
    force: truth("whether to run without review"),
    plan_commit_ref: z.string().describe("the pcN of a plan of the same call, such as pc0"),
  })
  .partial();

/** What has no arguments but its path. */
export const noArguments = z.strictObject({});

const entryId = z.string().regex(/\S/).describe("the id of a catalog, not blank");
const label = z.string().regex(/\S/).describe("the label of an account, not blank");
const MOST_USERS = 200;

/** An account of the caller's; without a label the default (RUN-186). */
export const accountBody = z.strictObject({ entry_id: entryId, account: label.optional() });

/** POST /v1/accounts/share (RUN-184). */
export const shareBody = z.strictObject({
  entry_id: entryId,
  account: label,
  users: z
    .array(z.string().regex(/\S/).max(256).describe("a user of the tenant, not blank"))
    .max(MOST_USERS)
    .describe(`a list of at most ${MOST_USERS} users, who may use it beside the caller`),
});

const LONGEST_REASON = 500;

/** What an operator says beside a decision (OPS-36); a plan with another hash is not decided. */
export const decisionBody = z.strictObject({
  commit: z.string().describe("text: the hash of the plan that was read").optional(),
  explained_at: z
    .string()
    .nullable()
    .describe("text: `explained.at` as it was read, or null where there was none")
    .optional(),
  reason: z
    .string()
    .min(1)
    .max(LONGEST_REASON)
    .describe(`text of at most ${LONGEST_REASON} characters`)
    .optional(),
});

const budget = z.int().min(0);

/** PUT /v1/admin/policy/{tenant} (SURF-25); read by the reader of policies, which names every fault. */
export const policyBody = z
  .strictObject({
    apis: z.record(
      z.string(),
      z.strictObject({
        deny: z.array(z.string()).optional(),
        effects: z.boolean().optional(),
        approval: z
          .strictObject({ operator: z.union([z.literal("all"), z.array(z.string())]) })
          .optional(),
      }),
    ),
    force: z.boolean(),
    budgets: z
      .strictObject({
        requests: budget,
        rows: budget,
        pages: budget,
        fan_out: budget,
        bytes: budget,
        wall: budget,
        work: budget,
      })
      .partial(),
    unreviewed_reads: z.strictObject({ requests: budget, rows: budget }).partial(),
    grafts: z.boolean(),
    approval: z.strictObject({ hours: z.number().optional(), drifted: z.boolean().optional() }),
    programs: z.record(
      z.string(),
      z.strictObject({
        version: z.string(),
        effects: budget,
        capabilities: z.array(z.string()).optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  })
  .partial();

/** POST /v1/admin/catalogs (RUN-180); read by the importer, which names every fault. */
export const catalogBody = z.strictObject({
  entry_id: z.string().describe("the id of a catalog"),
  domain: z.string().describe("the text of domain.yaml"),
  mappings: z.string().nullable().describe("the text of mappings.yaml").optional(),
  origin: z
    .looseObject({
      source: z.string(),
      digest: z.string(),
      read: z.string(),
      operations: z.int(),
      reached: z.int(),
      left: z.array(z.string()),
    })
    .nullable()
    .describe("what it was made of, as import.json beside its files has it")
    .optional(),
});
