import type { WebhookDoc } from "../format/webhook-shape.ts";
import { checkSecretNames } from "./domain.ts";
import type { Rule } from "./rule.ts";

const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/u;
const SIGNED = "{{ body }}";
const PLACES = ["body", "timestamp", "id"] as const;

/** CAT-160: a webhook has its secret, headers that can be sent, and signs its body with what it says where to find. */
export const webhooksRule: Rule = ({ domain, inDomain }) => {
  for (const [name, doc] of domain.webhooks) {
    const path = ["webhooks", name];
    if (inDomain.faulty(path)) continue;
    checkSecretNames(doc, path, inDomain);
    if (doc.env === undefined && doc.hosted_kv === undefined)
      inDomain.atKey(path, "CAT160", "secret", { name });
    for (const key of ["header", "timestamp_header", "id_header"] as const) {
      const found = doc[key];
      if (found !== undefined && !HEADER.test(found))
        inDomain.atValue([...path, key], "CAT160", "header", { found });
    }
    for (const [kind, params] of signedFaults(doc)) {
      // What is signed unless it is said stands nowhere.
      const at = doc.signed === SIGNED ? "scheme" : "signed";
      inDomain.atValue([...path, at], "CAT160", kind, params);
    }
  }
};

type SignedFault = readonly [
  "place" | "body" | "where" | "unsigned",
  { readonly found: string; readonly allowed: string },
];

/** What is signed, and what is not: a time that is read without being signed proves nothing. */
function signedFaults(doc: WebhookDoc): readonly SignedFault[] {
  if (doc.scheme === "token") return [];
  const faults: SignedFault[] = [];
  const names = [...doc.signed.matchAll(/\{\{([^{}]*)\}\}/gu)].map(([, name = ""]) => name.trim());
  const note = (kind: SignedFault[0], found: string, allowed: string): void => {
    faults.push([kind, { found, allowed }]);
  };
  for (const name of names) {
    if (!PLACES.some((one) => one === name))
      note("place", name, "body, timestamp and id, each in double braces");
  }
  if (!names.includes("body"))
    note(
      "body",
      names.join(", "),
      "a text in which body stands in double braces, alone or with timestamp and id",
    );
  const timed = doc.timestamp_header !== undefined || doc.timestamp_prefix !== undefined;
  if (names.includes("timestamp") && !timed)
    note("where", "timestamp", "timestamp_header, or timestamp_prefix");
  if (names.includes("id") && doc.id_header === undefined) note("where", "id", "id_header");
  if (timed && !names.includes("timestamp")) note("unsigned", "timestamp", "no time at all");
  return faults;
}
