import { createHmac } from "node:crypto";
import { loadCatalog } from "@plasm/core/internal";
import { describe, expect, it } from "vitest";
import { envSecrets } from "./secret-provider.ts";
import { verifyWebhook } from "./verify-webhook.ts";

const NOW = Date.UTC(2026, 0, 5, 10, 0);
const AT = String(NOW / 1_000);
const BODY = '{"action":"opened"}';
const KEY = Buffer.from("a secret of bytes");

/** Webhooks in the forms that docs/catalog-format.md shows. */
const WEBHOOKS = `webhooks:
  hub: {scheme: hmac_sha256, header: X-Hub-Signature, prefix: "sha256=", env: SECRET}
  chat: {scheme: hmac_sha256, header: X-Chat-Signature, prefix: "v0=", signed: "v0:{{ timestamp }}:{{ body }}", timestamp_header: X-Chat-Time, challenge: challenge, env: SECRET}
  pay: {scheme: hmac_sha256, header: Pay-Signature, prefix: v1=, separator: ",", timestamp_prefix: t=, signed: "{{ timestamp }}.{{ body }}", env: SECRET}
  standard: {scheme: hmac_sha256, header: Webhook-Signature, prefix: "v1,", separator: " ", encoding: base64, secret_encoding: base64, id_header: Webhook-Id, timestamp_header: Webhook-Timestamp, signed: "{{ id }}.{{ timestamp }}.{{ body }}", env: BYTES}
  named: {scheme: hmac_sha256, header: X-Signature, id_header: X-Delivery, env: SECRET}
  forge: {scheme: token, header: X-Forge-Token, env: SECRET}
  unset: {scheme: token, header: X-Token, env: NOBODY_SETS}
`;

const { catalog } = loadCatalog({
  entryId: "depot",
  domain: {
    file: "domain.yaml",
    text: `version: 1
http_backend: https://forge.example
values: {text: {type: string}}
entities: {Issue: {fields: {id: {value_ref: text}}}}
capabilities: {issue_query: {kind: query, entity: Issue}}
${WEBHOOKS}mappings: {issue_query: {method: GET, path: [{type: literal, value: issues}]}}
`,
  },
});

const secrets = envSecrets({ SECRET: "s3cr3t", BYTES: `whsec_${KEY.toString("base64")}` });
const signed = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);

/** What each API sends with the body. */
const GENUINE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hub: {
    "x-hub-signature": `sha256=${signed("s3cr3t", BODY).digest("hex")}`,
  },
  chat: {
    "x-chat-signature": `v0=${signed("s3cr3t", `v0:${AT}:${BODY}`).digest("hex")}`,
    "x-chat-time": AT,
  },
  pay: {
    "pay-signature": `t=${AT},v1=${"0".repeat(64)},v1=${signed("s3cr3t", `${AT}.${BODY}`).digest("hex")},v0=x`,
  },
  standard: {
    "webhook-signature": `v1,AAAA v1,${signed(KEY, `m1.${AT}.${BODY}`).digest("base64")}`,
    "webhook-id": "m1",
    "webhook-timestamp": AT,
  },
  named: { "x-signature": signed("s3cr3t", BODY).digest("hex"), "x-delivery": "d1" },
  forge: { "x-forge-token": "s3cr3t" },
};

async function verdict(
  name: string,
  headers: Readonly<Record<string, string>>,
  { body = BODY, now = NOW } = {},
) {
  const webhook = catalog?.cgs.webhooks.get(name);
  if (catalog === null || webhook === undefined) throw new Error(`no webhook ${name}`);
  return verifyWebhook(
    { catalog, webhook, secrets, tenant: "acme", now },
    { headers: new Headers(headers), body: Buffer.from(body) },
  );
}

describe("CAT-160 WATCH-07 what proves that a request is from an API", () => {
  it.each(Object.keys(GENUINE))(
    "%s: what it sends is taken, and named the same again",
    async (name) => {
      const first = await verdict(name, GENUINE[name] ?? {});
      expect(first).toMatchObject({ genuine: true, challenge: null });
      expect(await verdict(name, GENUINE[name] ?? {})).toEqual(first);
    },
  );

  it.each(Object.keys(GENUINE).filter((name) => name !== "forge"))(
    "%s: another body is not",
    async (name) => {
      const changed = await verdict(name, GENUINE[name] ?? {}, { body: `${BODY} ` });
      expect(changed).toEqual({ genuine: false, why: "its signature is another" });
    },
  );

  it.each(["chat", "pay", "standard"])(
    "%s: the same an hour later, or before, is not",
    async (name) => {
      for (const now of [NOW + 3_600_000, NOW - 3_600_000]) {
        const late = await verdict(name, GENUINE[name] ?? {}, { now });
        expect(late).toMatchObject({
          genuine: false,
          why: expect.stringContaining("too long ago"),
        });
      }
      expect(await verdict(name, GENUINE[name] ?? {}, { now: NOW + 299_000 })).toMatchObject({
        genuine: true,
      });
    },
  );

  it("a time that was put there later is not", async () => {
    const later = String(NOW / 1_000 + 3_600);
    const moved = { ...GENUINE["chat"], "x-chat-time": later };
    expect(await verdict("chat", moved, { now: NOW + 3_600_000 })).toMatchObject({
      genuine: false,
    });
  });

  it.each(Object.keys(GENUINE))("%s: without any of its headers it is not", async (name) => {
    const headers = GENUINE[name] ?? {};
    for (const left of Object.keys(headers).filter((one) => one !== "x-delivery")) {
      const rest = Object.fromEntries(Object.entries(headers).filter(([key]) => key !== left));
      expect(await verdict(name, rest)).toMatchObject({ genuine: false });
      expect(await verdict(name, { ...rest, [left]: "" })).toMatchObject({ genuine: false });
      expect(await verdict(name, { ...rest, [left]: "x".repeat(5_000) })).toMatchObject({
        genuine: false,
      });
    }
  });

  it("a secret that is not set proves nothing, not even nothing", async () => {
    for (const token of ["", "undefined", "null"]) {
      expect(await verdict("unset", { "x-token": token })).toEqual({
        genuine: false,
        why: "no secret of unset is set here",
      });
    }
  });

  it("a question is answered only where it is signed", async () => {
    const body = '{"type":"url_verification","challenge":"3eZbrw"}';
    const headers = {
      "x-chat-signature": `v0=${signed("s3cr3t", `v0:${AT}:${body}`).digest("hex")}`,
      "x-chat-time": AT,
    };
    expect(await verdict("chat", headers, { body })).toMatchObject({ challenge: "3eZbrw" });
    expect(await verdict("chat", GENUINE["chat"] ?? {}, { body })).toMatchObject({
      genuine: false,
    });
  });

  it("one that is sent again under another name is the same, unless the name is signed", async () => {
    const named = { ...GENUINE["named"], "x-delivery": "d2" };
    expect(await verdict("named", named)).toEqual(await verdict("named", GENUINE["named"] ?? {}));
    expect(await verdict("standard", { ...GENUINE["standard"], "webhook-id": "m2" })).toMatchObject(
      { genuine: false },
    );
  });

  it("deliveries of one token are told apart by their bodies", async () => {
    const names = await Promise.all(
      [BODY, '{"action":"closed"}'].map((body) =>
        verdict("forge", GENUINE["forge"] ?? {}, { body }),
      ),
    );
    expect(new Set(names.map((one) => JSON.stringify(one))).size).toBe(2);
  });
});
