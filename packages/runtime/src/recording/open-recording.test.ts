import { expect, test } from "vitest";
import { maskTokens } from "../request/auth/redactor.ts";
import { notedSecrets } from "./open-recording.ts";
import type { RecordedSecret } from "./recording-file.ts";

const HIDDEN = "h1dden-part";

async function noted(source: "env" | "hosted", name: string, value: string): Promise<string> {
  const lines: RecordedSecret[] = [];
  const live = { env: () => value, hosted: () => Promise.resolve(value) };
  const secrets = notedSecrets(live, (line) => lines.push(line));
  if (source === "env") secrets.env(name);
  else await secrets.hosted(name, { tenant: "t" });
  return lines[0]?.value ?? "";
}

test.each<["env" | "hosted", string, string]>([
  ["env", "DEPOT_TOKEN", HIDDEN],
  ["env", "DEPOT_HOOK", `https://hooks.example/T0/${HIDDEN}`],
  ["env", "DEPOT_KEY", `{\n  "type": "service_account",\n  "private_key": "${HIDDEN}"\n}`],
  ["hosted", "plasm:outbound:depot", `{ "private_key": "${HIDDEN}" }`],
  ["hosted", "plasm:outbound:depot", `{ "version": 1, "refresh_token": ["${HIDDEN}"] }`],
  ["hosted", "plasm:outbound:depot", `https://hooks.example/T0/${HIDDEN}`],
  ["env", "PLASM_OAUTH_DEPOT_TOKEN_URL", `https://id.example/token?key=${HIDDEN}`],
])("RUN-162 of %s %s nothing secret is recorded", async (source, name, value) => {
  expect(await noted(source, name, value)).not.toContain(HIDDEN);
});

test("RUN-162 what a replay needs stays: the terms of an envelope, a provider's address", async () => {
  const envelope = { version: 1, entry_id: "depot", access_token: HIDDEN, expires_at_unix: 9 };
  const kept = await noted("hosted", "plasm:outbound:depot", JSON.stringify(envelope));
  expect(JSON.parse(kept)).toEqual({ ...envelope, access_token: "[redacted]" });
  const address = "https://id.example/token";
  expect(await noted("env", "PLASM_OAUTH_DEPOT_TOKEN_URL", address)).toBe(address);
});

test.each([
  `access_token=${HIDDEN}&token_type=bearer`,
  `{"ok":true,"authed_user":{"access_token":"${HIDDEN}"}}`,
  `["${HIDDEN}"]`,
  `{"scope":{"access_token":"${HIDDEN}"}}`,
])("RUN-162 a token answer of another form is masked: %s", (body) => {
  expect(maskTokens(body)).not.toContain(HIDDEN);
});
