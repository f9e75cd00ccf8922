import type { FunctionContext } from "@plasm/runtime";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { gmail } from "./gmail.ts";

type Names = FunctionContext["environment"];

const context = (environment: Names): FunctionContext => ({
  environment,
  now: Date.UTC(2026, 0, 5, 12, 30),
  id: () => "id-1",
});

function made(name: string, environment: Names) {
  const outcome = gmail.functions.get(name)?.(context(environment), []);
  if (outcome === undefined || !("value" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.value as { readonly raw: string; readonly threadId?: string };
}

function refused(name: string, environment: Names): string {
  const outcome = gmail.functions.get(name)?.(context(environment), []);
  if (outcome === undefined || "value" in outcome) throw new Error("it was taken");
  return outcome.error;
}

const bytesOf = (raw: string): Buffer => Buffer.from(raw, "base64url");
const parsed = (raw: string) => PostalMime.parse(bytesOf(raw));

const SEND = "gmail_rfc5322_send_body";
const REPLY = "gmail_rfc5322_reply_send_body";
const mail = {
  from: "ann@example.com",
  to: "bob@example.com",
  subject: "Boats",
  plainBody: "Hello",
};

describe(SEND, () => {
  test("a CRLF message with exactly the headers of the specification, unpadded base64url", () => {
    const { raw, ...rest } = made(SEND, mail);
    expect(rest).toEqual({});
    expect(raw).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(bytesOf(raw).toString("utf8").split("\r\n").toSorted()).toEqual(
      [
        "",
        "Content-Transfer-Encoding: 8bit",
        "Content-Type: text/plain; charset=utf-8",
        "Date: Mon, 05 Jan 2026 12:30:00 +0000",
        "From: ann@example.com",
        "Hello",
        "MIME-Version: 1.0",
        "Message-ID: <id-1@example.com>",
        "Subject: Boats",
        "To: bob@example.com",
      ].toSorted(),
    );
  });

  test("a real parser reads back what was meant: names, letters, lines", async () => {
    const { raw } = made(SEND, {
      from: '"Grün, Ann" <ann@example.com>',
      to: "Bob Ø <bob@example.com>, carl@example.com",
      subject: `Größe — ${"sehr lang ".repeat(12)}日本語 🚢`,
      plainBody: "one\ntwo\r\nthree 日本 🚢\r",
    });
    const found = await parsed(raw);
    expect(found.from).toMatchObject({ name: "Grün, Ann", address: "ann@example.com" });
    expect(found.to).toMatchObject([
      { name: "Bob Ø", address: "bob@example.com" },
      { name: "", address: "carl@example.com" },
    ]);
    expect(found.subject).toBe(`Größe — ${"sehr lang ".repeat(12)}日本語 🚢`);
    expect(found.text?.replaceAll("\r\n", "\n")).toBe("one\ntwo\nthree 日本 🚢\n");
    const head = bytesOf(raw).toString("latin1").split("\r\n\r\n")[0] ?? "";
    // RFC 2047, RFC 5322: headers are ASCII, and no line of them is longer than 998.
    expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(Math.max(...head.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  test("thread, In-Reply-To and References where they are given", async () => {
    const { raw, threadId } = made(SEND, {
      ...mail,
      threadId: "t1",
      inReplyTo: "<p@x>",
      references: "<o@x> <p@x>",
    });
    expect(threadId).toBe("t1");
    expect(await parsed(raw)).toMatchObject({ inReplyTo: "<p@x>", references: "<o@x> <p@x>" });
  });

  test.each(["from", "to", "subject", "plainBody"])("%s must be there", (name) => {
    const { [name]: _left, ...rest } = mail as Names;
    expect(refused(SEND, rest)).toBe(`${name} is missing or empty`);
    expect(refused(SEND, { ...mail, [name]: "" })).toBe(`${name} is missing or empty`);
  });

  test.each(["from", "to", "subject", "inReplyTo", "references", "threadId"])(
    "a line break in %s is an error, not another header",
    (name) => {
      for (const end of ["\r\n", "\n", "\r"]) {
        const value = `x@example.com${end}Bcc: eve@example.com`;
        expect(refused(SEND, { ...mail, [name]: value })).toBe(
          `${name} has a line break or NUL in it`,
        );
      }
    },
  );

  test("what is no address is an error", () => {
    expect(refused(SEND, { ...mail, to: "bob" })).toBe("to is no address such as ann@example.com");
  });

  test("any subject and body come back as they went in; the same call gives the same bytes", async () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 });
    const subject = text
      .map((each) =>
        each
          .replaceAll(/[\r\n\0]/g, " ")
          .replaceAll(/\s+/g, " ")
          .trim(),
      )
      .filter((each) => each !== "");
    await fc.assert(
      fc.asyncProperty(subject, text, async (about, plainBody) => {
        const names = { ...mail, subject: about, plainBody };
        const { raw } = made(SEND, names);
        expect(made(SEND, names).raw).toBe(raw);
        const found = await parsed(raw);
        expect(found.subject).toBe(about);
        expect(found.to).toHaveLength(1);
        const [, body = ""] = bytesOf(raw)
          .toString("utf8")
          .split(/\r\n\r\n(.*)/s);
        expect(body).toBe(plainBody.replaceAll(/\r\n|\r|\n/g, "\r\n"));
      }),
      { numRuns: 200 },
    );
  });
});

describe(REPLY, () => {
  const parent = {
    parent_headerMessageId: "<p@x>",
    parent_headerReferences: "<a@x>\r\n <b@x>",
    parent_headerSubject: "Re: RE:  re: Boats",
    parent_headerFrom: "Bob <bob@example.com>",
    parent_threadId: "t7",
  };
  const reply = { from: "ann@example.com", plainBody: "Yes", ...parent };

  test("goes to the parent's From, in its thread, with one Re: and all references", async () => {
    const { raw, threadId } = made(REPLY, reply);
    expect(threadId).toBe("t7");
    expect(await parsed(raw)).toMatchObject({
      to: [{ address: "bob@example.com" }],
      subject: "Re: Boats",
      inReplyTo: "<p@x>",
      references: "<a@x> <b@x> <p@x>",
    });
  });

  test.each<[string, Names, object]>([
    [
      "Reply-To before From",
      { parent_headerReplyTo: '"The List" <list@example.com>' },
      { to: [{ address: "list@example.com" }] },
    ],
    [
      "what the caller gives before both",
      { to: "eve@example.com", subject: "Now" },
      { to: [{ address: "eve@example.com" }], subject: "Now" },
    ],
    ["a parent without subject", { parent_headerSubject: null }, { subject: "Re:" }],
    ["a parent without references", { parent_headerReferences: null }, { references: "<p@x>" }],
    [
      "a subject that only begins alike",
      { parent_headerSubject: "Reboot" },
      { subject: "Re: Reboot" },
    ],
  ])("%s", async (_what, more, expected) => {
    expect(await parsed(made(REPLY, { ...reply, ...more }).raw)).toMatchObject(expected);
  });

  test.each<[string, Names, string]>([
    [
      "no message id",
      { parent_headerMessageId: null },
      "parent_headerMessageId is missing or empty",
    ],
    [
      "nobody to answer",
      { parent_headerFrom: null },
      "to is missing, and the mail answered has no Reply-To and no From",
    ],
    [
      "a header in the parent's subject",
      { parent_headerSubject: "x\r\nBcc: e@x" },
      "parent_headerSubject has a line break or NUL in it",
    ],
    ["no sender", { from: "" }, "from is missing or empty"],
  ])("%s is an error", (_what, more, says) => {
    expect(refused(REPLY, { ...reply, ...more })).toBe(says);
  });
});
