import { describe, expect, test } from "vitest";
import { patchedCatalog } from "@plasm/testkit";
import { diagnose } from "./testing/diagnose-patch.ts";
import { changeInName, changeInText, wordsOfText } from "./changing-reads.ts";

const nouns = new Set(["run", "runs", "trigger", "triggers"]);
const inName = (name: string) => changeInName(name, nouns);
const inText = (text: string) => changeInText(text, nouns);

describe("17.11 CAT-081 names that read like a change", () => {
  test.each([
    ["send", "send"],
    ["send-all", "send"],
    ["sendMessage", "send"],
    ["revoke_token", "revoke"],
    ["invalidate", "invalidate"],
    ["start", "start"],
    ["stop", "stop"],
    ["reset", "reset"],
    ["cancel", "cancel"],
    ["deleteUser", "delete"],
    ["remove-member", "remove"],
    ["approve", "approve"],
    ["enable", "enable"],
    ["disable-alerts", "disable"],
    ["close", "close"],
    ["removeFromCart", "remove"],
    ["delete_by_email", "delete"],
    ["findOrCreateUser", "create"],
    ["get-and-delete", "delete"],
  ])("%s", (name, verb) => expect(inName(name)).toBe(verb));

  test.each([
    ..."query get list search list-runs runs run start_date start-time stop_times stops".split(" "),
    ..."sent deleted deleted_items deletedItems removed closed cancelled enabled resets".split(" "),
    ..."cancel-reasons create-meta createmeta send-limits add-ons trigger update build".split(" "),
    ..."releases release archive posts post orders open settings set startup restarted".split(" "),
    ..."sender resendable starting closest disabled_users approvals publishers submitters".split(
      " ",
    ),
    ..."cancel_by accept_as publish_on find_and_filter get_or_null delete_at_end create_on_day".split(
      " ",
    ),
    ..."delete_preview create-options subscription update-status running by-sender".split(" "),
  ])("not %s", (name) => expect(inName(name)).toBeNull());
});

describe("17.11 CAT-081 descriptions that read like a change", () => {
  test.each([
    ["Send a message to a channel", "send"],
    ["Sends email to all members.", "sends"],
    ["Deletes the given tree", "deletes"],
    ["Delete messages older than a day", "delete"],
    ["Revokes all tokens of a user", "revokes"],
    ["Invalidate the session", "invalidate"],
    ["Starts the pump", "starts"],
    ["Stop a job that runs", "stop"],
    ["Resets your password", "resets"],
    ["Marks the messages as read", "marks"],
    ["Triggers a build", "triggers"],
    ["Gets the next message and removes it from the queue", "removes"],
    ["Get the next message, and then delete it", "delete"],
    ["Returns the token. Revokes the one before.", "revokes"],
    ["Logical name. Closes the account", "closes"],
    ["Updates a user", "updates"],
    ["Executes the command", "executes"],
  ])("%s", (text, verb) => expect(inText(text)).toBe(verb));

  test.each([
    "List runs",
    "Runs of a workflow",
    "Run of a workflow, with its jobs",
    "Start date of the season",
    "Stops of a line, in order",
    "Sends per day",
    "Deleted items of a mailbox",
    "Messages that were sent",
    "Returns what a user deleted",
    "Orders by day",
    "Open orders",
    "Posts of a blog, newest first",
    "Updates since a day",
    "Release notes",
    "Archive of measurements",
    "Create metadata of a project",
    "Runs a saved query and returns its rows",
    "Execute a search",
    "Lists settings that start and stop the pump",
    "Tokens that a user may revoke",
    "Checks whether a user can delete it",
    "Set of cards",
    "Grants of a role",
    "Registers of a device",
    "Resumes of candidates",
    "Close to a place",
    "Complete record of a boat",
    "Lists boats that can send and receive",
    "Cancel reasons",
    "Builds, newest first",
    "",
  ])("not: %s", (text) => expect(inText(text)).toBeNull());
});

describe("17.11 what keeps a read a read", () => {
  const codes = (capability: string, mapping: string): readonly string[] => {
    const { domain, mappings } = patchedCatalog({
      capabilities: `parcel_x: {entity: Parcel, ${capability}}`,
      mappings: `parcel_x: {${mapping}}`,
    });
    return diagnose(domain, mappings).map(({ code }) => code);
  };
  const id = "{type: var, name: id}";
  const parcels = "{type: literal, value: parcels}";

  test.each([
    [
      "a POST whose path says search",
      "kind: get",
      `path: [${id}, {type: literal, value: _search}]`,
    ],
    ["a POST whose description says so", "kind: get, description: Returns one", `path: [${id}]`],
    [
      "a POST with a filter in its body",
      "kind: get",
      `path: [${parcels}], body: {type: object, fields: [[filter, ${id}]]}`,
    ],
    [
      "a POST of a remote procedure that gets",
      "kind: get",
      `path: [], body: {type: object, fields: [[method, {type: const, value: parcel_getInfo}], [id, ${id}]]}`,
    ],
    [
      "GraphQL",
      "kind: get",
      `transport: graphql, path: [], body: {type: object, fields: [[query, {type: const, value: "query ($id: ID!) { parcel(id: $id) { id } }"}], [v, ${id}]]}`,
    ],
  ])("%s", (_what, capability, mapping) => {
    expect(codes(capability, `method: POST, ${mapping}`)).toEqual([]);
  });

  test("a path that stops something, where the description says what it returns", () => {
    const path = `method: GET, path: [${id}, {type: literal, value: stop}]`;
    expect(codes("kind: get", path)).toEqual(["CAT081"]);
    expect(codes("kind: get, description: Returns its last stop", path)).toEqual([]);
  });

  test.each(["action", "update", "delete"])("a declared %s may be sent as GET", (kind) => {
    const capability = `kind: ${kind}, description: Sends the parcel, output: {type: side_effect, description: Sent}`;
    const path = `method: GET, path: [${id}, {type: literal, value: send}]`;
    expect(codes(capability, path)).toEqual([]);
  });

  test("words are told apart by case, dashes, dots and underscores", () => {
    expect(wordsOfText("chat.postMessage_to-all v2")).toEqual([
      "chat",
      "post",
      "message",
      "to",
      "all",
      "v2",
    ]);
  });
});
