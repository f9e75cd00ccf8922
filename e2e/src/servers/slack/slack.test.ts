import type { JsonObject } from "@plasm/core";
import { afterEach, expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { startSlack, TOKEN, type Trouble } from "./slack-api.ts";

const world = useStarted(async (endings) => {
  const trouble: Trouble = { after: new Map() };
  const api = await startSlack(endings, trouble);
  const open = async (token: string) => {
    const data = await endings.directory("slack");
    const env = { SLACK_TOKEN: token };
    const plasm = await openCatalogEngine("slack", `${api.url}/api`, data, { env });
    endings.add(() => plasm.close());
    return plasm;
  };
  return { api, trouble, open, plasm: await open(TOKEN) };
});
afterEach(() => void world().api.taken());

/** The rows of the last result of a program. */
async function rows(program: string) {
  const { results } = await world().plasm.run(program);
  return results.at(-1) ?? [];
}

/** A text of the first row of a program. */
async function made(program: string, name = "id"): Promise<string> {
  const [row] = (await rows(program)) as readonly JsonObject[];
  const text = row?.[name];
  if (typeof text !== "string") throw new Error(`a row without ${name}`);
  return text;
}

/** The calls that change something: the method, and its arguments. */
const written = () =>
  world()
    .api.requests.filter(({ line }) => line.startsWith("POST"))
    .map(({ line, body }) => [line.replace("POST /api/", ""), JSON.parse(body)]);

test("lists go on by the cursor, to the end; the token is no argument", async () => {
  expect(await rows("User.aggregate(n=count)")).toEqual([{ n: 231 }]);
  expect(world().api.requests.map(({ headers }) => headers.get("authorization"))).toEqual(
    Array.from({ length: 3 }, () => `Bearer ${TOKEN}`),
  );
  expect(world().api.taken()).toEqual([
    "GET /api/users.list?limit=100",
    "GET /api/users.list?cursor=from:100&limit=100",
    "GET /api/users.list?cursor=from:200&limit=100",
  ]);
});

test("channels are listed by type, got by id, and have messages and members", async () => {
  const [general] = (await rows("Channel{name=general}[id, name]")) as readonly JsonObject[];
  expect(general).toEqual({ id: "C1", name: "general" });
  expect(await rows("Channel{exclude_archived=true}.aggregate(n=count)")).toEqual([{ n: 4 }]);
  expect(await rows('Channel("C1").messages.aggregate(n=count)')).toEqual([{ n: 130 }]);
  expect(await rows('Channel("C1").messages.limit(2)[text, user]')).toEqual([
    { text: "Message 130", user: "U130" },
    { text: "Message 129", user: "U129" },
  ]);
  world().api.taken();
  expect(await rows('Channel("C1").members.limit(2)[id, email]')).toMatchObject([
    { id: "U0BOT" },
    { id: "U1", email: "u1@example.com" },
  ]);
  expect(world().api.taken()).toContain("GET /api/users.info?user=U1");
  expect(await rows('User("U1").channels[name]')).toEqual([{ name: "general" }, { name: "helm" }]);
});

test("a message is posted, answered in its thread, changed and deleted; its time and channel are its key", async () => {
  const ts = await made('Message.create(channel=Channel("C1"), text="Hello")[ts]', "ts");
  const message = `Message(channel="C1", ts="${ts}")`;
  await rows(`Message.create(channel=Channel("C1"), text="Hi", thread_ts="${ts}")`);
  expect(await rows(`${message}[text, reply_count]`)).toEqual([{ text: "Hello", reply_count: 1 }]);
  expect(await rows(`${message}.thread[text]`)).toEqual([{ text: "Hello" }, { text: "Hi" }]);
  await rows(`${message}.update(text="Hello all")`);
  expect(await rows('Channel("C1").messages.limit(1)[text]')).toEqual([{ text: "Hello all" }]);
  await rows(`${message}.delete()`);
  await expect(rows(`${message}[text]`)).rejects.toThrow("message_not_found");
  expect(written()).toEqual([
    ["chat.postMessage", { channel: "C1", text: "Hello" }],
    ["chat.postMessage", { channel: "C1", text: "Hi", thread_ts: ts }],
    ["chat.update", { channel: "C1", ts, text: "Hello all" }],
    ["chat.delete", { channel: "C1", ts }],
  ]);
});

test("reactions and pins are added to a message and taken away; a second one is refused by name", async () => {
  const ts = await made('Message.create(channel=Channel("C1"), text="Vote")[ts]', "ts");
  const message = `Message(channel="C1", ts="${ts}")`;
  await rows(`${message}.react(name="thumbsup")`);
  expect(await rows(`${message}[reactions]`)).toEqual([
    { reactions: [{ name: "thumbsup", users: ["U0BOT"], count: 1 }] },
  ]);
  await expect(rows(`${message}.react(name="thumbsup")`)).rejects.toThrow("already_reacted");
  await rows(`${message}.unreact(name="thumbsup")`);
  await rows(`${message}.pin()`);
  expect(await rows('Channel("C1").pins[ts, message]')).toEqual([{ ts, message: "Vote" }]);
  expect(await rows('Channel("C1").pins.pinned[text]')).toEqual([{ text: "Vote" }]);
  await rows(`${message}.unpin()`);
  expect(await rows('Channel("C1").pins[ts]')).toEqual([]);
  expect(written().slice(1)).toEqual([
    ["reactions.add", { channel: "C1", timestamp: ts, name: "thumbsup" }],
    ["reactions.add", { channel: "C1", timestamp: ts, name: "thumbsup" }],
    ["reactions.remove", { channel: "C1", timestamp: ts, name: "thumbsup" }],
    ["pins.add", { channel: "C1", timestamp: ts }],
    ["pins.remove", { channel: "C1", timestamp: ts }],
  ]);
});

test("a channel is made, filled, named and archived; what is archived takes no message", async () => {
  const id = await made('Channel.create(name="crew", is_private=true)[id]');
  const channel = `Channel("${id}")`;
  await rows(`${channel}.invite(users="U1,U2")`);
  await rows(`${channel}.set-topic(topic="Sails")`);
  await rows(`${channel}.rename(name="the-crew")`);
  expect(await rows(`${channel}[name, topic]`)).toEqual([{ name: "the-crew", topic: "Sails" }]);
  await rows(`${channel}.kick(user=User("U2"))`);
  expect(await rows(`${channel}.members[id]`)).toEqual([{ id: "U0BOT" }, { id: "U1" }]);
  await rows(`${channel}.archive()`);
  await expect(rows(`Message.create(channel=${channel}, text="?")`)).rejects.toThrow("is_archived");
  await expect(rows('Channel.create(name="Two words")')).rejects.toThrow("invalid_name_specials");
});

test("bookmarks, files, groups, the workspace, and people by their address", async () => {
  const mark = await made(
    'Bookmark.create(channel=Channel("C1"), title="Wiki", link="https://example.com")[id]',
  );
  await rows(`Bookmark(channel="C1", id="${mark}").update(title="The wiki")`);
  expect(await rows('Channel("C1").bookmarks[title, link]')).toEqual([
    { title: "The wiki", link: "https://example.com" },
  ]);
  await rows(`Bookmark(channel="C1", id="${mark}").delete()`);
  expect(await rows('Channel("C1").bookmarks[title]')).toEqual([]);
  expect(await rows('File{user=User("U1")}[name, size]')).toEqual([
    { name: "chart.pdf", size: 900 },
  ]);
  expect(await rows("Usergroup[handle, users]")).toEqual([
    { handle: "oncall", users: ["U1", "U2"] },
  ]);
  expect(await rows("Usergroup{include_disabled=true}[handle, users]")).toEqual([
    { handle: "oncall", users: ["U1", "U2"] },
    { handle: "crew", users: [] },
  ]);
  expect(await rows("Team.get()[name]")).toEqual([{ name: "Harbour" }]);
  expect(await rows('User.by-email(email="u7@example.com")[id]')).toEqual([{ id: "U7" }]);
});

test("what is refused with 200 is a failure that names its error, of reads, effects and tokens", async () => {
  await expect(rows('Channel("C99")[name]')).rejects.toThrow("channel_not_found");
  await expect(rows('Message.create(channel=Channel("C3"), text="?")')).rejects.toThrow(
    "not_in_channel",
  );
  await rows('Channel("C3").join()');
  expect(await rows('Message.create(channel=Channel("C3"), text="!")[text]')).toEqual([
    { text: "!" },
  ]);
  const plasm = await world().open("xoxb-other");
  await expect(plasm.run("User[name]")).rejects.toThrow("invalid_auth");
});

test("channels of every type are listed; a condition on a column is tested on all of them", async () => {
  const closed = [{ name: "helm" }, { name: "the-crew" }];
  expect(await rows("Channel{is_private=true}[name]")).toEqual(closed);
  expect(await rows("Channel{is_im=true}[user]")).toEqual([{ user: "U3" }]);
  expect(await rows('Channel{types="private_channel"}[name]')).toEqual(closed);
  expect(await rows('User("U1").channels[name, is_private]')).toEqual([
    { name: "general", is_private: false },
    { name: "helm", is_private: true },
    { name: "the-crew", is_private: true },
  ]);
  const every = "public_channel,private_channel,mpim,im";
  expect(world().api.taken()).toEqual([
    `GET /api/conversations.list?types=${every}&limit=100`,
    `GET /api/conversations.list?types=${every}&limit=100`,
    "GET /api/conversations.list?types=private_channel&limit=100",
    `GET /api/users.conversations?user=U1&types=${every}&limit=100`,
  ]);
});

test("who a person's channels are of is no column of theirs", async () => {
  const own = await rows('User("U3").channels.sort(id)[id, user, is_im]');
  expect(own).toMatchObject([
    { id: "C1", user: null },
    { user: "U3", is_im: true },
  ]);
  expect(await rows('Channel{is_im=true, user=User("U3")}.aggregate(n=count)')).toEqual([{ n: 1 }]);
});

test("what an effect's answer lacks is read, and is not taken for null", async () => {
  const [fresh] = await rows('Channel.create(name="deck")[name, num_members]');
  expect(fresh).toEqual({ name: "deck", num_members: 1 });
  const [joined] = await rows('Channel("C3").join()[name, num_members]');
  expect(joined).toEqual({ name: "closed", num_members: 1 });
  const [open] = await rows('Channel.open(users="U3")[user, is_im]');
  expect(open).toEqual({ user: "U3", is_im: true });
  const ts = await made('Message.create(channel=Channel("C1"), text="Ahoy")[ts]', "ts");
  const message = `Message(channel="C1", ts="${ts}")`;
  await rows(`${message}.react(name="wave")`);
  expect(await rows(`${message}.update(text="Ahoy!")[ts, text, reactions]`)).toEqual([
    { ts, text: "Ahoy!", reactions: [{ name: "wave", users: ["U0BOT"], count: 1 }] },
  ]);
});

test("columns that are filled only where they are asked for are asked for", async () => {
  expect(await rows('Channel("C1")[num_members]')).toEqual([{ num_members: 231 }]);
  const [first, second] = (await rows(
    'Channel("C1").messages.limit(2)[ts, text]',
  )) as readonly JsonObject[];
  const from = (second?.["ts"] ?? "") as string;
  expect(await rows(`Channel("C1").messages{oldest="${from}"}[text]`)).toEqual([
    { text: first?.["text"] },
    { text: second?.["text"] },
  ]);
});

test.each(["internal_error", "fatal_error", "service_unavailable"])(
  "%s after an effect leaves it in doubt; it is not sent again",
  async (error) => {
    const { trouble, plasm, api } = world();
    trouble.after.set("chat.postMessage", error);
    const count = 'Channel("C1").messages.aggregate(n=count)';
    const [before] = (await rows(count)) as readonly JsonObject[];
    api.taken();
    await expect(plasm.run('Message.create(channel=Channel("C1"), text="Once")')).rejects.toThrow(
      /in doubt/,
    );
    expect(api.taken()).toEqual(["POST /api/chat.postMessage"]);
    trouble.after.clear();
    expect(await rows(count)).toEqual([{ n: Number(before?.["n"]) + 1 }]);
  },
);
