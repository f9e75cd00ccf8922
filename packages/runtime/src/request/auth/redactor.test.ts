import { findSecrets } from "@plasm/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, secretlessFile } from "./redactor.ts";

test("RUN-142 a known secret is removed raw, in base64 and percent-encoded", () => {
  const unit = fc.oneof(
    fc.integer({ min: 0x20, max: 0x24f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  const secret = fc.string({
    minLength: 6,
    unit: unit.map((point) => String.fromCodePoint(point)),
  });
  fc.assert(
    fc.property(secret, fc.string(), (text, around) => {
      const redactor = createRedactor();
      redactor.add(text);
      const forms = [
        text,
        encodeURIComponent(text),
        Buffer.from(text).toString("base64"),
        Buffer.from(text).toString("base64url"),
      ];
      for (const form of forms) {
        expect(redactor.redact(`${around} ${form} ${around}`)).not.toContain(form);
      }
    }),
  );
});

test("text without a secret stays as it is", () => {
  const redactor = createRedactor();
  redactor.add("k1-secret");
  redactor.add("");
  expect(redactor.redact("nothing to see")).toBe("nothing to see");
});

const SECRET = "ab/cd+ef&g\u00e9'1234";
test.each([
  ["plain", SECRET],
  ["slashes escaped", "ab\\/cd+ef&g\u00e9'1234"],
  ["ASCII only", "ab/cd+ef&g\\u00e9'1234"],
  ["ASCII only, slashes escaped", "ab\\/cd+ef&g\\u00e9'1234"],
  ["safe in markup", "ab/cd+ef\\u0026g\u00e9'1234"],
  ["safe anywhere", "ab/cd\\u002Bef\\u0026g\\u00E9\\u00271234"],
])("RUN-142 a secret that an API's JSON repeats is removed: %s", (_how, written) => {
  const redactor = createRedactor();
  redactor.add(SECRET);
  const body = `{"said":"no ${written} here"}`;
  expect(JSON.parse(body)).toEqual({ said: `no ${SECRET} here` });
  const clean = Buffer.from(redactor.redactData(Buffer.from(body))).toString("utf8");
  expect(JSON.parse(clean)).toEqual({ said: "no [redacted] here" });
});

const KNOWN = 's3cr/et+of="depot"&caf\u00e9?';

function redactedData(data: Uint8Array, secret = KNOWN): Buffer {
  const redactor = createRedactor();
  redactor.add(secret);
  return Buffer.from(redactor.redactData(data));
}

const swapped = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
const utf32 = (text: string): Buffer =>
  Buffer.concat([...text].map((char) => Buffer.from([char.charCodeAt(0), 0, 0, 0])));

describe("RUN-142 a secret is removed from data of any encoding, which stays readable", () => {
  test.each<[string, (text: string) => Buffer, string]>([
    ["UTF-8", (text) => Buffer.from(text), "utf-8"],
    ["Latin-1", (text) => Buffer.from(text, "latin1"), "iso-8859-1"],
    ["UTF-16, little end first", (text) => Buffer.from(text, "utf16le"), "utf-16le"],
    ["UTF-16, big end first", swapped, "utf-16be"],
  ])("%s", (_name, write, charset) => {
    for (const told of [KNOWN, encodeURIComponent(KNOWN), Buffer.from(KNOWN).toString("base64")]) {
      const clean = redactedData(write(`\u00bf who is ${told}, please`));
      expect(new TextDecoder(charset).decode(clean)).toBe("\u00bf who is [redacted], please");
    }
  });

  test("UTF-32, that decoders take for UTF-8 with controls between its letters", () => {
    const clean = redactedData(utf32(`who is ${KNOWN}, please`)).toString();
    expect(clean.replaceAll("\0", "")).toBe("who is [redacted], please");
  });
});

test("RUN-142 whatever writing the search of the testkit finds is removed (fast-check)", () => {
  const secret = fc
    .string({ minLength: 12, unit: "binary-ascii" })
    .filter((text) => text.trim() === text);
  const around = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(secret, around, around, (known, before, after) => {
      const all = before + known + after;
      const told = [
        all,
        JSON.stringify(all),
        encodeURIComponent(all),
        new URLSearchParams({ all }).toString(),
        Buffer.from(all).toString("hex"),
        Buffer.from(all).toString("base64"),
        Buffer.from(all).toString("base64url"),
      ].join("\n");
      for (const encoding of ["utf8", "utf16le"] as const) {
        const clean = redactedData(Buffer.from(told, encoding), known);
        expect(findSecrets("data", clean.toString(encoding), { known })).toEqual([]);
      }
    }),
    { numRuns: 50 },
  );
});

test("of base64 that a secret is a part of, nothing is left to put together", () => {
  const secret = "abcdefghijklmnop";
  for (const user of ["", "x", "me", "ann", "long user"]) {
    const told = Buffer.from(`${user}:${secret}:tail`).toString("base64");
    const clean = redactedData(Buffer.from(`Basic ${told}.`), secret).toString();
    expect(clean).toContain("[redacted]");
    const left = (clean.match(/[A-Za-z0-9+/]+={0,2}/g) ?? []).map((part) =>
      atob(part.slice(0, part.length - (part.length % 4))),
    );
    for (const part of left)
      expect(secret).not.toContain(part.replace(/[^a-p]/g, "").slice(0, 3) || "-");
  }
});

test("text that has nothing to do with a short secret is left alone", () => {
  const redactor = createRedactor();
  redactor.add("secret");
  const text = "c2Vj cmV0 a sentence about secretaries? no: 736563";
  expect(redactor.redact(text)).toBe(text.replace("secret", "[redacted]"));
});

test("RUN-142 secrets that many runs know are removed from each, alone and together", () => {
  const secrets = Array.from({ length: 40 }, (_none, at) => `secret-${at}-of-a-tenant`);
  const cleaned = (known: readonly string[], text: string): readonly string[] => {
    const redactor = createRedactor();
    for (const secret of known) redactor.add(secret);
    const data = Buffer.from(redactor.redactData(Buffer.from(text, "utf16le")));
    return [redactor.redact(text), data.toString("utf16le")];
  };
  for (const secret of [...secrets, ...secrets]) {
    expect(cleaned([secret], `${secret}!`)).toEqual(["[redacted]!", "[redacted]!"]);
    // The longer one first, whichever was known before: nothing of it is left behind.
    const longer = `${secret}/more`;
    const both = `${secret} ${longer} ${encodeURIComponent(longer)}`;
    for (const known of [
      [secret, longer],
      [longer, secret],
    ]) {
      expect(cleaned(known, both)[0]).toBe("[redacted] [redacted] [redacted]");
    }
  }
  expect(cleaned([], "secret-1-of-a-tenant")[0]).toBe("secret-1-of-a-tenant");
});

test.each([1, 20])(
  "RUN-142 %i secrets of any length are removed from data of any kind",
  (count) => {
    const secrets = Array.from({ length: count }, (_none, at) => `${at}+`.repeat(4000));
    const redactor = createRedactor();
    for (const secret of secrets) redactor.add(secret);
    for (const encoding of ["latin1", "utf16le"] as const) {
      const data = Buffer.from(`\0${secrets.join(" ")}\0`, encoding);
      const clean = Buffer.from(redactor.redactData(data)).toString(encoding);
      expect(clean).toBe(`\0${secrets.map(() => "[redacted]").join(" ")}\0`);
    }
    expect(redactor.redact(`${secrets.join(" ")}.`)).not.toContain("+");
  },
);

test("RUN-142 a secret of any length is removed from base64 of more than it", () => {
  const secret = "a key of many letters; ".repeat(3000);
  const redactor = createRedactor();
  redactor.add(secret);
  for (const user of ["", "x", "me"]) {
    const encoded = Buffer.from(`${user}:${secret}:`).toString("base64");
    expect(redactor.redact(`Basic ${encoded} twice ${encoded}.`)).toMatch(
      /^Basic [\w+/]{0,8}\[redacted\] twice [\w+/]{0,8}\[redacted\]\.$/,
    );
    const close = `${encoded.replace(/=*$/, "")}-${encoded}`;
    expect(redactor.redact(close)).not.toContain(encoded.slice(40, 80));
  }
});

test("RUN-142 a secret that no text can be encoded from is removed where it stands", () => {
  const redactor = createRedactor();
  redactor.add("half of a \ud83d letter");
  expect(redactor.redact("half of a \ud83d letter!")).toBe("[redacted]!");
});

test("what stands for a secret in data is no place to look for others", () => {
  const redactor = createRedactor();
  for (const secret of ["of the depot", "redacted"]) redactor.add(secret);
  const clean = redactor.redactData(Buffer.from("keys of the depot"));
  expect(Buffer.from(clean).toString()).toBe("keys [redacted]");
});

describe("VAL-03: a file with a secret in it is not taken", () => {
  const read = async (pieces: readonly Uint8Array[]): Promise<number> => {
    const redactor = createRedactor();
    redactor.add("k1-secret-of-mine");
    async function* content(): AsyncGenerator<Uint8Array> {
      yield* pieces;
    }
    let size = 0;
    for await (const piece of secretlessFile(content(), redactor)) size += piece.length;
    return size;
  };
  const around = Buffer.alloc(1_000, 1);

  test.each([
    ["plain", Buffer.from("k1-secret-of-mine")],
    ["in base64", Buffer.from(Buffer.from("k1-secret-of-mine").toString("base64"))],
    ["in UTF-16", Buffer.from("k1-secret-of-mine", "utf16le")],
  ])("%s, wherever its pieces are cut", async (_how, secret) => {
    for (let at = 0; at <= secret.length; at++) {
      const pieces = [
        Buffer.concat([around, secret.subarray(0, at)]),
        Buffer.concat([secret.subarray(at), around]),
      ];
      await expect(read(pieces)).rejects.toThrow("holds a credential");
    }
    const single = [...secret].map((byte) => Buffer.from([byte]));
    await expect(read([around, ...single, around])).rejects.toThrow("holds a credential");
  });

  test("one without is as it was", async () => {
    expect(await read([around, Buffer.from("k1-secret"), around, Buffer.from("-of-mine")])).toBe(
      2_017,
    );
  });
});
