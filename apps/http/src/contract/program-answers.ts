import { z } from "zod";

/** What the routes of saved programs and their schedules answer (SAV-05, SAV-17). */
const time = z.iso.datetime();
const json = z.unknown();

export const savedProgramRowSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.enum(["text", "number", "date", "uuid", "boolean"]),
      list: z.boolean().describe("whether it takes a list of such values"),
      default: json,
    }),
  ),
  returns: z.array(z.string()).describe("names of its results"),
  effects: z.array(z.string()).describe("what it changes, as entry_id/capability"),
  catalogs: z.array(z.string()),
  shared: z.boolean().describe("whether the whole tenant may run it"),
  owner: z.string().nullable().describe("who saved it"),
  own: z.boolean().describe("whether that is the caller"),
  version: z.string().describe("hash of its plan and catalogs"),
  saved_at: time,
});

export const savedProgramsSchema = z.object({ programs: z.array(savedProgramRowSchema) });

export const savedProgramSchema = savedProgramRowSchema.extend({
  program: z.string(),
  text: z.string().describe("the same as a text for a file, which may be sent to save it again"),
});

const scheduledRunSchema = z.object({
  due_at: time,
  late: z.boolean().describe("it makes up for times at which no server ran"),
  state: z.enum(["starting", "waiting", "started", "succeeded", "failed", "cancelled", "refused"]),
  ended_at: time.nullable(),
  plan_commit_ref: z.string().nullable(),
  commit_uuid: z.string().nullable().describe("by which an operator decides on its plan"),
  waits_until: time.nullable(),
  operation_uuid: z.string().nullable(),
  code: z.string().nullable().describe("why it was refused, or failed"),
  message: z.string().nullable(),
  rows: z.int().nullable(),
  effects_done: z.int().nullable(),
  in_doubt: z.int().nullable(),
});

export const scheduleSchema = z.object({
  schedule_uuid: z.string(),
  program: z.string().describe("the name of the saved program"),
  version: z.string().describe("the version of it that is run"),
  arguments: z.record(z.string(), json),
  cron: z.string(),
  zone: z.string(),
  paused: z.boolean(),
  owner: z.string().nullable().describe("with whose rights it runs"),
  own: z.boolean().describe("whether that is the caller"),
  created_at: time,
  next_at: time.nullable().describe("null while it is paused"),
  problem: z.string().nullable().describe("why the next run would be refused, as far as is known"),
  current: scheduledRunSchema.nullable().describe("the run that is not over"),
  runs: z.array(scheduledRunSchema).describe("those that are, the newest first"),
  missed: z
    .array(
      z.object({
        count: z.int(),
        more: z.boolean().describe("there were more than are counted"),
        from: time,
        to: time,
        why: z.enum(["nothing_ran", "run_before"]),
        text: z.string().describe("the same in words"),
      }),
    )
    .describe("times at which nothing was run, the newest first"),
  watch: z
    .object({
      key: z.array(z.string()).describe("the columns by which rows are known again"),
      reading: z.int().describe("how many readings there were"),
      rows: z.int(),
      last_event_id: z.string().nullable(),
      webhook: z
        .object({ name: z.string(), path: z.string().describe("where the API sends it") })
        .nullable()
        .describe("at which it reads, too"),
    })
    .nullable()
    .describe("null where rows are not compared"),
});

export const watchEventsSchema = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      at: time,
      reading: z.int(),
      kind: z.enum(["appeared", "changed", "vanished"]),
      key: z.record(z.string(), json),
      row: z.record(z.string(), json).nullable().describe("as it is now"),
      cut: z.boolean().describe("the row is too long to be here"),
    }),
  ),
  forgotten: z.int().describe("events before these that are kept no longer"),
  next: z.string().nullable().describe("the query's after for those that follow"),
});

export const schedulesSchema = z.object({ schedules: z.array(scheduleSchema) });

export const webhookAnswerSchema = z
  .record(z.string(), z.string())
  .describe("empty, or what the API wants to get back");
