import { describe, expect, it } from "vitest";
import { argumentKey, type GroupedTool, groupTools } from "./tool-groups.ts";

const LONG =
  "A sentence that says what the tool does, at some length. Another one, which nobody needs.";

const slot = (name: string, more: Partial<GroupedTool["slots"][number]> = {}) => ({
  name,
  description: "",
  required: false,
  takes: "string",
  isChoice: false,
  ...more,
});

const tool = (name: string, slots: GroupedTool["slots"] = [], isRead = false): GroupedTool => ({
  name,
  description: LONG,
  isRead,
  slots,
});

/** So many more tools of one thing that one table is too small for all. */
const MANY = ["list", "get", "create", "update", "delete", "restore"].flatMap((verb) =>
  ["boat", "owner", "visit", "paper", "lamp", "pier", "crane", "buoy"].map((thing) =>
    tool(`${verb}_${verb === "list" ? `${thing}s` : thing}`),
  ),
);

const named = (tools: readonly GroupedTool[]) =>
  Object.fromEntries(
    groupTools(tools).map(({ about, tools: some }) => [
      about?.join(" ") ?? "",
      some.map(({ name }) => name),
    ]),
  );

describe("SURF-77 tools stand on entities", () => {
  it("all on one where its table stays short, with what they say", () => {
    const few = ["list_boats", "get_boat", "moor"].map((name) => tool(name));
    expect(groupTools(few)).toEqual([{ about: null, tools: few, rare: new Set() }]);
  });

  it("else by what their names are about, in one clause", () => {
    const groups = groupTools(MANY);
    expect(groups.map(({ about }) => about)).toEqual(
      ["boat", "owner", "visit", "paper", "lamp", "pier", "crane", "buoy"].map((one) => [one]),
    );
    expect(groups[0]?.tools.map(({ name }) => name)).toEqual([
      "list_boats",
      "get_boat",
      "create_boat",
      "update_boat",
      "delete_boat",
      "restore_boat",
    ]);
    expect(groups[0]?.tools[0]?.description).toBe(
      "a sentence that says what the tool does, at some length",
    );
  });

  it.each([
    ["boats-list", "boat"],
    ["listBoatsByOwner", "boat"],
    ["create_or_update_boat", "boat"],
    ["list_all_the_boats", "boat"],
    ["paint_boat", "boat"],
    // The last words say what it is, the first ones whose it is.
    ["list_owner_boats", "boat"],
    ["get_boat_history", "boat"],
    ["ping", ""],
    ["search", ""],
  ])("%s is about %s", (name, about) => {
    expect(named([...MANY, tool(name)])[about]).toContain(name);
  });

  it("a word that is a verb and a thing is what the others make of it", () => {
    const tools = ["list_merge_requests", "get_merge_request", "merge_merge_request"];
    expect(named([...MANY, ...tools.map((name) => tool(name))])).toMatchObject({
      "merge request": tools,
    });
  });

  it("a word with which nearly all begin is the product's", () => {
    const all = MANY.map(({ name }) => tool(`harbour_${name}`));
    expect(Object.keys(named([...all, tool("harbour_ping")]))).toEqual([
      "boat",
      "owner",
      "visit",
      "paper",
      "lamp",
      "pier",
      "crane",
      "buoy",
      "",
    ]);
  });
});

describe("SURF-77 a table that is too long", () => {
  const options = (names: readonly string[], more = {}) =>
    names.map((name) => slot(name, { description: `${name}: ${LONG}`, ...more }));
  const words = Array.from({ length: 30 }, (_none, at) => `option_${at}`);

  it("leaves out options of tools that have many, but what another one demands and what is chosen", () => {
    const list = tool(
      "list_boats",
      [...options(words), slot("harbour"), slot("state", { isChoice: true })],
      true,
    );
    const update = tool("update_boat", options(words.map((word) => `new_${word}`)));
    const get = tool("get_boat", [slot("harbour", { required: true })], true);
    const rest = MANY.filter(({ name }) => !name.includes("boat"));
    const boats = groupTools([...rest, list, update, get]).find(
      ({ about }) => about?.[0] === "boat",
    );
    const isRare = (of: GroupedTool, name: string) => boats?.rare.has(argumentKey(of, { name }));
    expect([
      isRare(update, "new_option_0"),
      isRare(list, "harbour"),
      isRare(list, "state"),
    ]).toEqual([true, false, false]);
  });

  it("describes arguments of one name alike, if they take the same", () => {
    const said = (description: string, takes = "string") => [
      slot("boat", { description, takes, required: true }),
    ];
    const tools = [
      tool("list_boats", said("the boat's id")),
      tool("get_boat", said("the id of the boat")),
      tool("moor_boat", said("the id of the boat")),
      tool("sell_boat", said("how many", "integer")),
    ];
    const rest = MANY.filter(({ name }) => !name.includes("boat"));
    const boats = groupTools([...rest, ...tools]).find(({ about }) => about?.[0] === "boat");
    expect(boats?.tools.map(({ slots }) => slots[0]?.description)).toEqual([
      "the id of the boat",
      "the id of the boat",
      "the id of the boat",
      "how many",
    ]);
  });
});
