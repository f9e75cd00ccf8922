import type { Row } from "../vendor-api.ts";

/** What the API refuses, which it answers with 200 and the name of the error. */
export class Refusal extends Error {}

/** The bot whose token calls. */
export const BOT = "U0BOT";

const FIRST = 1_767_225_600;

/** Channels with their messages, pins and bookmarks, people and files, as the API keeps them. */
export class Workspace {
  readonly channels = new Map<string, Row>();
  readonly members = new Map<string, Set<string>>();
  readonly messages = new Map<string, Row[]>();
  readonly pins = new Map<string, Row[]>();
  readonly bookmarks = new Map<string, Row[]>();
  readonly users = new Map<string, Row>();
  readonly files = new Map<string, Row>();
  #made = 0;

  #next(): number {
    this.#made += 1;
    return this.#made;
  }

  channel(id: unknown): Row {
    const found = this.channels.get(String(id));
    if (found === undefined) throw new Refusal("channel_not_found");
    return found;
  }

  user(id: unknown): Row {
    const found = this.users.get(String(id));
    if (found === undefined) throw new Refusal("user_not_found");
    return found;
  }

  /** A channel that its maker is in. */
  addChannel(row: Row, ...others: readonly string[]): Row {
    const { name } = row;
    if (name !== undefined && [...this.channels.values()].some((one) => one["name"] === name))
      throw new Refusal("name_taken");
    const id = `C${this.#next()}`;
    const base = { id, created: FIRST + this.#made, creator: BOT, is_archived: false };
    const made: Row = { ...base, topic: { value: "" }, purpose: { value: "" }, ...row };
    this.channels.set(id, made);
    this.members.set(id, new Set([BOT, ...others]));
    return made;
  }

  /** The direct message of the bot and people, the one that there is or a new one. */
  direct(people: readonly string[]): Row {
    const all = new Set([BOT, ...people]);
    const known = [...this.channels.values()].find(
      ({ id, is_im: isDirect, is_mpim: isGroup }) =>
        (isDirect === true || isGroup === true) &&
        this.membersOf(id).size === all.size &&
        [...all].every((one) => this.membersOf(id).has(one)),
    );
    if (known !== undefined) return known;
    const [user, second] = people;
    const row =
      second === undefined
        ? { is_im: true, user }
        : { is_mpim: true, is_private: true, name: `mpdm-${people.join("--")}-1` };
    return this.addChannel(row, ...people);
  }

  isIn(channel: unknown): boolean {
    return this.membersOf(channel).has(BOT);
  }

  membersOf(channel: unknown): Set<string> {
    return this.members.get(String(this.channel(channel)["id"])) ?? new Set();
  }

  /** Refuses what is done to a channel that is archived, or that the bot is not in. */
  open(channel: unknown): string {
    const { id, is_archived: isArchived } = this.channel(channel);
    if (isArchived === true) throw new Refusal("is_archived");
    if (!this.membersOf(id).has(BOT)) throw new Refusal("not_in_channel");
    return String(id);
  }

  /** The messages of a channel in order, replies among them. */
  messagesOf(channel: unknown): Row[] {
    const id = String(this.channel(channel)["id"]);
    const own = this.messages.get(id) ?? [];
    this.messages.set(id, own);
    return own;
  }

  message(channel: unknown, ts: unknown): Row {
    const found = this.messagesOf(channel).find((one) => one["ts"] === ts);
    if (found === undefined) throw new Refusal("message_not_found");
    return found;
  }

  post(channel: unknown, form: Row): Row {
    const id = this.open(channel);
    const { text, blocks, thread_ts: thread } = form;
    if (text === undefined && blocks === undefined) throw new Refusal("no_text");
    const ts = `${FIRST + this.#next()}.000100`;
    const parent = thread === undefined ? undefined : this.message(id, thread);
    const row: Row = { type: "message", ts, user: form["user"] ?? BOT, text: text ?? "" };
    if (parent !== undefined) {
      Object.assign(row, { thread_ts: thread });
      Object.assign(parent, {
        thread_ts: thread,
        reply_count: Number(parent["reply_count"] ?? 0) + 1,
      });
    }
    this.messagesOf(id).push(row);
    return row;
  }

  /** Changes the users of an emoji on a message. */
  react(form: Row, change: "add" | "remove"): void {
    const { channel, timestamp, name } = form;
    const message = this.message(channel, timestamp);
    const all = (message["reactions"] ?? []) as readonly Row[];
    const users = all.find((one) => one["name"] === name)?.["users"] as
      | readonly string[]
      | undefined;
    const has = users?.includes(BOT) === true;
    if (change === "add" && has) throw new Refusal("already_reacted");
    if (change === "remove" && !has) throw new Refusal("no_reaction");
    const others = (users ?? []).filter((one) => one !== BOT);
    const now = change === "add" ? [...others, BOT] : others;
    const rest = all.filter((one) => one["name"] !== name);
    const own = now.length === 0 ? [] : [{ name, users: now, count: now.length }];
    message["reactions"] = [...rest, ...own];
  }
}

/**
 * A workspace of 230 people, with 130 messages in one channel, channels that are archived and not joined, a private one, and a
 * direct message.
 */
export function seeded(): Workspace {
  const space = new Workspace();
  for (let n = 1; n <= 230; n += 1) {
    const profile = { email: `u${n}@example.com`, display_name: `u${n}`, title: "Sailor" };
    space.users.set(`U${n}`, {
      id: `U${n}`,
      name: `u${n}`,
      deleted: false,
      is_bot: false,
      profile,
    });
  }
  space.users.set(BOT, { id: BOT, name: "plasm", deleted: false, is_bot: true, profile: {} });
  const everybody = [...space.users.keys()];
  const general = space.addChannel({ name: "general", is_private: false }, ...everybody);
  const old = space.addChannel({ name: "old", is_private: false });
  const closed = space.addChannel({ name: "closed", is_private: false });
  for (let n = 1; n <= 130; n += 1)
    space.post(general["id"], { text: `Message ${n}`, user: `U${n}` });
  space.addChannel({ name: "helm", is_private: true }, "U1");
  space.direct(["U3"]);
  old["is_archived"] = true;
  space.membersOf(closed["id"]).delete(BOT);
  space.files.set("F1", {
    id: "F1",
    name: "chart.pdf",
    mimetype: "application/pdf",
    size: 900,
    user: "U1",
    created: FIRST,
  });
  const [first] = space.messagesOf(general["id"]);
  if (first !== undefined) first["files"] = [space.files.get("F1")];
  return space;
}
