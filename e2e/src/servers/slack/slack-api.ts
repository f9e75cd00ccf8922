import { type Context, Hono } from "hono";
import type { Endings } from "../endings.ts";
import { type Row, serveVendorApi, type VendorApi } from "../vendor-api.ts";
import { BOT, Refusal, seeded, type Workspace } from "./slack-workspace.ts";

export const TOKEN = "xoxb-of-the-test";

type Method = (form: Row) => Row;

/** Rows from where a cursor says, and the cursor of those behind; a cursor is how many came before. */
function page(form: Row, member: string, rows: readonly unknown[]): Row {
  const { limit = "100", cursor } = form;
  const size = Number(limit);
  if (!(size >= 1 && size <= 999)) throw new Refusal("invalid_limit");
  const [, before = "0"] = /^from:(\d+)$/.exec(typeof cursor === "string" ? cursor : "") ?? [];
  if (cursor !== undefined && cursor !== `from:${before}`) throw new Refusal("invalid_cursor");
  const end = Number(before) + size;
  const next = end < rows.length ? `from:${end}` : "";
  return { [member]: rows.slice(Number(before), end), response_metadata: { next_cursor: next } };
}

const idsIn = (value: unknown): readonly string[] =>
  (typeof value === "string" ? value : "").split(",").filter((id) => id !== "");

/** The type of a channel, as `types` names it. */
const typeOf = (one: Row): string =>
  one["is_im"] === true
    ? "im"
    : one["is_mpim"] === true
      ? "mpim"
      : one["is_private"] === true
        ? "private_channel"
        : "public_channel";

function channelMethods(space: Workspace): Readonly<Record<string, Method>> {
  const ofTypes = ({ types = "public_channel", exclude_archived: isOpen }: Row): readonly Row[] =>
    [...space.channels.values()].filter(
      (one) =>
        idsIn(types).includes(typeOf(one)) && !(isOpen === "true" && one["is_archived"] === true),
    );
  /** As effects answer it: who is in it is not counted. Of a direct message there is little to say. */
  const answered = (channel: unknown): Row => {
    const { id, created, is_im: isDirect, user, ...more } = space.channel(channel);
    if (isDirect === true) return { id, created, is_im: true, user };
    return { id, created, is_im: false, is_mpim: false, ...more, is_member: space.isIn(id) };
  };
  const counted = (id: unknown): Row => ({
    ...answered(id),
    ...(space.channel(id)["is_im"] === true ? {} : { num_members: space.membersOf(id).size }),
  });
  const changed = (form: Row, change: Row): Row => {
    space.open(form["channel"]);
    Object.assign(space.channel(form["channel"]), change);
    return { channel: answered(form["channel"]) };
  };
  return {
    "conversations.list": (form) =>
      page(
        form,
        "channels",
        ofTypes(form)
          .filter((one) => typeOf(one) === "public_channel" || space.isIn(one["id"]))
          .map(({ id }) => counted(id)),
      ),
    "users.conversations": (form) =>
      page(
        form,
        "channels",
        ofTypes(form)
          .filter(({ id }) =>
            space.membersOf(id).has(String(space.user(form["user"] ?? BOT)["id"])),
          )
          .map(({ id }) => {
            const { is_member: _in, ...row } = answered(id);
            return row;
          }),
      ),
    "conversations.info": ({ channel, include_num_members: isCounted }) => ({
      channel: isCounted === "true" ? counted(channel) : answered(channel),
    }),
    "conversations.members": (form) => page(form, "members", [...space.membersOf(form["channel"])]),
    "conversations.create": ({ name, is_private: isPrivate = false }) => {
      if (typeof name !== "string" || !/^[a-z0-9_-]+$/.test(name))
        throw new Refusal("invalid_name_specials");
      return { channel: answered(space.addChannel({ name, is_private: isPrivate })["id"]) };
    },
    "conversations.open": ({ users }) => {
      const people = idsIn(users).map((id) => String(space.user(id)["id"]));
      if (people.length === 0) throw new Refusal("users_list_not_supplied");
      // Only its id, unless more is asked for.
      return { channel: { id: space.direct(people)["id"] } };
    },
    "conversations.archive": (form) => {
      changed(form, { is_archived: true });
      return {};
    },
    "conversations.unarchive": ({ channel }) => {
      if (space.channel(channel)["is_archived"] !== true) throw new Refusal("not_archived");
      Object.assign(space.channel(channel), { is_archived: false });
      return {};
    },
    "conversations.join": ({ channel }) => {
      space.membersOf(channel).add(BOT);
      return { channel: answered(channel) };
    },
    "conversations.leave": ({ channel }) => ({
      not_in_channel: !space.membersOf(channel).delete(BOT),
    }),
    "conversations.invite": ({ channel, users }) => {
      space.open(channel);
      for (const id of idsIn(users)) {
        if (space.membersOf(channel).has(String(space.user(id)["id"])))
          throw new Refusal("already_in_channel");
        space.membersOf(channel).add(id);
      }
      return { channel: answered(channel) };
    },
    "conversations.kick": ({ channel, user }) => {
      if (!space.membersOf(space.open(channel)).delete(String(user)))
        throw new Refusal("not_in_channel");
      return {};
    },
    "conversations.rename": (form) => changed(form, { name: form["name"] }),
    "conversations.setTopic": (form) => changed(form, { topic: { value: form["topic"] } }),
    "conversations.setPurpose": (form) => changed(form, { purpose: { value: form["purpose"] } }),
  };
}

/** A message with the first of those who reacted, or with all. */
const shortened = (message: Row, full: boolean): Row => {
  const reactions = message["reactions"] as readonly Row[] | undefined;
  if (full || reactions === undefined) return message;
  const some = reactions.map((one) => ({
    ...one,
    users: (one["users"] as readonly string[]).slice(0, 25),
  }));
  return { ...message, reactions: some };
};

function messageMethods(space: Workspace): Readonly<Record<string, Method>> {
  const isWithin = ({ oldest = "0", latest = "9", inclusive }: Row, ts: string): boolean =>
    (ts > String(oldest) && ts < String(latest)) ||
    (inclusive === "true" && (ts === oldest || ts === latest));
  return {
    "conversations.history": (form) => {
      space.open(form["channel"]);
      const own = space.messagesOf(form["channel"]).filter((one) => {
        const ts = String(one["ts"]);
        return (one["thread_ts"] ?? ts) === ts && isWithin(form, ts);
      });
      return page(form, "messages", own.toReversed());
    },
    "conversations.replies": (form) => {
      const { ts } = space.message(form["channel"], form["ts"]);
      const own = space.messagesOf(form["channel"]);
      return page(
        form,
        "messages",
        own.filter((one) => one["ts"] === ts || one["thread_ts"] === ts),
      );
    },
    "chat.postMessage": (form) => {
      const message = space.post(form["channel"], form);
      return { channel: form["channel"], ts: message["ts"], message };
    },
    "chat.update": ({ channel, ts, text }) => {
      const message = space.message(channel, ts);
      if (message["user"] !== BOT) throw new Refusal("cant_update_message");
      Object.assign(message, { text });
      // What was changed, without its time and what it has besides.
      return { channel, ts, text, message: { text, user: BOT } };
    },
    "chat.delete": ({ channel, ts }) => {
      if (space.message(channel, ts)["user"] !== BOT) throw new Refusal("cant_delete_message");
      const own = space.messagesOf(channel);
      own.splice(own.indexOf(space.message(channel, ts)), 1);
      return { channel, ts };
    },
    "chat.scheduleMessage": ({ channel, post_at: at }) => {
      space.open(channel);
      return { scheduled_message_id: "Q1", post_at: at };
    },
    "reactions.get": ({ channel, timestamp, full }) => ({
      type: "message",
      channel,
      message: shortened(space.message(channel, timestamp), full === "true"),
    }),
    "reactions.add": (form) => {
      space.react(form, "add");
      return {};
    },
    "reactions.remove": (form) => {
      space.react(form, "remove");
      return {};
    },
    "pins.list": ({ channel }) => ({ items: space.pins.get(String(channel)) ?? [] }),
    "pins.add": ({ channel, timestamp }) => {
      const message = space.message(channel, timestamp);
      const own = space.pins.get(String(channel)) ?? [];
      if (own.some((one) => one["message"] === message)) throw new Refusal("already_pinned");
      const pin = { type: "message", channel, message, created: 1_767_400_000, created_by: BOT };
      space.pins.set(String(channel), [...own, pin]);
      return {};
    },
    "pins.remove": ({ channel, timestamp }) => {
      const message = space.message(channel, timestamp);
      const own = space.pins.get(String(channel)) ?? [];
      const rest = own.filter((one) => one["message"] !== message);
      if (rest.length === own.length) throw new Refusal("no_pin");
      space.pins.set(String(channel), rest);
      return {};
    },
  };
}

function otherMethods(space: Workspace): Readonly<Record<string, Method>> {
  const marks = (channel: unknown): Row[] => {
    const id = String(space.channel(channel)["id"]);
    const own = space.bookmarks.get(id) ?? [];
    space.bookmarks.set(id, own);
    return own;
  };
  const mark = ({ channel_id: channel, bookmark_id: id }: Row): Row => {
    const found = marks(channel).find((one) => one["id"] === id);
    if (found === undefined) throw new Refusal("bookmark_not_found");
    return found;
  };
  return {
    "bookmarks.list": (form) => ({ bookmarks: marks(form["channel_id"]) }),
    "bookmarks.add": (form) => {
      const own = marks(form["channel_id"]);
      const bookmark = { id: `Bk${own.length + 1}`, date_created: 1_767_400_000, ...form };
      own.push(bookmark);
      return { bookmark };
    },
    "bookmarks.edit": ({ channel_id: channel, bookmark_id: id, ...form }) => ({
      bookmark: Object.assign(mark({ channel_id: channel, bookmark_id: id }), form),
    }),
    "bookmarks.remove": (form) => {
      const own = marks(form["channel_id"]);
      own.splice(own.indexOf(mark(form)), 1);
      return {};
    },
    "files.list": ({ user }) => ({
      files: [...space.files.values()].filter((one) => user === undefined || one["user"] === user),
      paging: { count: 100, total: space.files.size, page: 1, pages: 1 },
    }),
    "files.info": ({ file }) => {
      const found = space.files.get(String(file));
      if (found === undefined) throw new Refusal("file_not_found");
      return { file: found };
    },
    "files.delete": ({ file }) => {
      if (!space.files.delete(String(file))) throw new Refusal("file_not_found");
      return {};
    },
    "team.info": () => ({ team: { id: "T1", name: "Harbour", domain: "harbour" } }),
    "usergroups.list": ({ include_users: isFull, include_disabled: isAll }) => ({
      usergroups: [
        { id: "S1", name: "On call", handle: "oncall", date_delete: 0, users: ["U1", "U2"] },
        { id: "S2", name: "Old crew", handle: "crew", date_delete: 1_767_300_000, users: [] },
      ]
        .filter(({ date_delete: gone }) => gone === 0 || isAll === "true")
        .map(({ users, ...row }) => (isFull === "true" ? { ...row, users } : row)),
    }),
    "users.list": (form) => page(form, "members", [...space.users.values()]),
    "users.info": ({ user }) => ({ user: space.user(user) }),
    "users.lookupByEmail": ({ email }) => {
      const found = [...space.users.values()].find(
        ({ profile }) => (profile as Row)["email"] === email,
      );
      if (found === undefined) throw new Refusal("users_not_found");
      return { user: found };
    },
  };
}

/** Methods that only read: they take no JSON, and are asked by GET. */
const READS = /\.(?:list|info|history|replies|members|get|conversations|lookupByEmail)$/;

const formOf = async (c: Context): Promise<Row> => {
  if (c.req.method === "GET") return c.req.query();
  if (c.req.header("content-type")?.startsWith("application/json") !== true)
    throw new Refusal("invalid_form_data");
  return (await c.req.json()) as Row;
};

/** The errors that calls of a method are answered with although they did what they were asked to. */
export interface Trouble {
  readonly after: Map<string, string>;
}

/**
 * Starts a server that behaves as Slack's Web API does by its public reference, on a workspace of its own: every answer is 200
 * with `ok`, refusals have a name, lists go on by a cursor, messages are named by their channel and time.
 */
export const startSlack = (endings: Endings, trouble: Trouble): Promise<VendorApi> =>
  serveVendorApi(endings, () => {
    const app = new Hono();
    const space = seeded();
    const methods = { ...channelMethods(space), ...messageMethods(space), ...otherMethods(space) };
    app.all("/api/:method", async (c) => {
      if (c.req.header("authorization") !== `Bearer ${TOKEN}`) throw new Refusal("invalid_auth");
      const name = c.req.param("method");
      const method = methods[name];
      if (method === undefined) throw new Refusal("unknown_method");
      if (READS.test(name) !== (c.req.method === "GET")) throw new Refusal("invalid_post_type");
      const answer = method(await formOf(c));
      const error = trouble.after.get(name);
      return c.json(error === undefined ? { ok: true, ...answer } : { ok: false, error });
    });
    app.onError((error, c) => {
      if (error instanceof Refusal) return c.json({ ok: false, error: error.message });
      return c.json({ ok: false, error: `fatal_error: ${error.message}` }, 500);
    });
    return app;
  });
