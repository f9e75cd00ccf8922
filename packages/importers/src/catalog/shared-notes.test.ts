import { expect, test } from "vitest";
import { answering, integer, list, made, object, query, taking, text } from "../testing/made.ts";

const said = (description: string, schema: object = text) => ({ ...schema, description });
const id = { name: "id", in: "path", required: true, schema: text };

const boat = object({
  id: text,
  name: text,
  berth_number: said("The number of the berth that is associated with the boat"),
  fee: said("What a night costs"),
  crew: text,
  sms_url: said("The address that is called for the boat"),
});

const paths = {
  "/boats": {
    get: answering(list(boat), {
      parameters: [query("Fee", said("What a night costs at most"))],
    }),
    post: taking(
      object({
        name: said("What the new boat is called"),
        berth_number: said("The number of a berth we should associate with this boat"),
        fee: said("What a night costs, in cents", integer),
        crew: said("How many people it takes", integer),
        SmsUrl: said("The address to call for a boat"),
      }),
    ),
  },
  "/boats/{id}": {
    parameters: [id],
    get: answering(boat),
    post: { ...taking(object({ name: said("The title to have") })), ...answering(boat) },
  },
};

test("a column without a description has that of the argument which sets it, an update's before a create's (ADR 0251)", async () => {
  const { domain, diagnostics } = await made(paths);
  expect(diagnostics).toEqual([]);
  const fields = domain.entities["Boat"]?.fields as Record<string, { description?: string }>;
  expect(fields["name"]?.description).toBe("the title to have");
  // What is set is a number there: what is said of it is not said of the column.
  expect(fields["crew"]?.description).toBeUndefined();
});

test("an argument is called as the column that it is, and says only what that does not (ADR 0251)", async () => {
  const { domain, mappings } = await made(paths);
  const slots = domain.capabilities["boat_create"]?.["parameters"] as readonly {
    readonly name: string;
    readonly description?: string;
  }[];
  const notes = Object.fromEntries(slots.map(({ name, description }) => [name, description]));
  expect(notes).toEqual({
    name: "what the new boat is called",
    berth_number: undefined,
    fee: "what a night costs, in cents",
    crew: "how many people it takes",
    sms_url: undefined,
  });
  expect(JSON.stringify(mappings["boat_create"])).toContain(
    '["SmsUrl",{"type":"var","name":"sms_url"}]',
  );
});

test("a POST to a row that answers it is its update, where nothing else changes it (ADR 0251)", async () => {
  const { domain } = await made(paths);
  expect(domain.capabilities["boat_update"]).toMatchObject({ kind: "update" });
  const put = { put: taking(object({ name: text })) };
  const { domain: other } = await made({
    ...paths,
    "/boats/{id}": { ...paths["/boats/{id}"], ...put },
  });
  expect(other.capabilities["boat_update"]).toMatchObject({ kind: "update" });
  const kinds = Object.values(other.capabilities).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["action", "create", "get", "query", "update"]));
});
