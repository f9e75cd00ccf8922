import { expect, test } from "vitest";
import type { TransportFailure } from "../ports.ts";
import { transportError } from "./transport-error.ts";

const REQUEST = {
  method: "GET",
  origin: "https://api.quay",
  pathTemplate: "/boats/{id}",
  status: null,
  apiText: null,
};

const OWN = { entryId: "quay", origin: "https://api.quay" };

const said = (kind: TransportFailure["kind"], detail: string): string =>
  transportError({ kind, sent: false, detail }, REQUEST, OWN).message;

test.each([
  ["connect", "ECONNREFUSED", "https://api.quay cannot be reached: it refuses connections."],
  ["connect", "ENOTFOUND", "https://api.quay cannot be reached: its name is not known."],
  ["connect", "EAI_AGAIN", "https://api.quay cannot be reached: its name is not known."],
  ["connect", "EHOSTUNREACH", "https://api.quay cannot be reached: there is no way to it."],
  ["connect", "UND_ERR_CONNECT_TIMEOUT", "https://api.quay cannot be reached: it does not answer."],
  ["lost", "ECONNRESET", "GET https://api.quay/boats/{id}: connection lost."],
  ["lost", "UND_ERR_SOCKET", "GET https://api.quay/boats/{id}: connection lost."],
  ["timeout", "30000 ms", "GET https://api.quay/boats/{id} did not answer within 30 s."],
  ["timeout", "ETIMEDOUT", "GET https://api.quay/boats/{id} did not answer in time."],
  ["tls", "CERT_HAS_EXPIRED", "https://api.quay has no valid certificate: it has expired."],
  [
    "tls",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "https://api.quay has no valid certificate: it is signed by itself.",
  ],
  [
    "tls",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "https://api.quay has no valid certificate: it is for another name.",
  ],
] as const)(
  "RUN-150, ERR-009: %s by %s is told in words, no code of a system",
  (kind, code, words) => {
    expect(said(kind, code)).toBe(words);
  },
);

test("RUN-150: who is not reached is told the setting of its address, where it has one (RUN-004)", () => {
  const fix = (origin: string): string =>
    transportError(
      { kind: "connect", sent: false, detail: "ECONNREFUSED" },
      { ...REQUEST, origin },
      OWN,
    ).correction;
  expect(fix("https://api.quay")).toBe(
    "check that the API is up and PLASM_BACKEND_QUAY is its address, then try again",
  );
  expect(fix("https://files.quay")).toBe(
    "check that the API is up and its address is right, then try again",
  );
});
