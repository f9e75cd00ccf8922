import type { BrokenCase } from "../broken-case.ts";

const AT = "webhooks.changes";
const webhook = (rest: string): { readonly top: string } => ({
  top: `webhooks: {changes: {scheme: hmac_sha256, header: x-signature, ${rest}}}`,
});

/** Faults of CAT-160. */
export const webhookCases: readonly BrokenCase[] = [
  {
    rule: "CAT-002",
    when: "a scheme that nobody checks",
    patch: { top: "webhooks: {changes: {scheme: «hmac», header: x-signature, env: T}}" },
    at: `${AT}.scheme`,
    says: ["hmac", "hmac_sha256", "token"],
  },
  {
    rule: "CAT-110",
    when: "a secret where the name of its variable belongs",
    patch: webhook("«env»: 'Bearer s3cr3t'"),
    at: `${AT}.env`,
    says: ["env", "variable"],
    severity: "warning",
  },
  {
    rule: "CAT-160",
    when: "no secret",
    patch: { top: "webhooks: {«changes»: {scheme: token, header: x-token}}" },
    at: AT,
    says: ["changes", "env, hosted_kv"],
  },
  {
    rule: "CAT-160",
    when: "a header with a blank",
    patch: { top: "webhooks: {changes: {scheme: token, header: «x token», env: T}}" },
    at: `${AT}.header`,
    says: ["x token"],
  },
  {
    rule: "CAT-160",
    when: "a signature without the body",
    patch: webhook("env: T, timestamp_header: x-time, signed: «'{{ timestamp }}'»"),
    at: `${AT}.signed`,
    says: ["timestamp", "body"],
  },
  {
    rule: "CAT-160",
    when: "a place that nothing fills",
    patch: webhook("env: T, signed: «'{{ date }}.{{ body }}'»"),
    at: `${AT}.signed`,
    says: ["date", "body, timestamp and id"],
  },
  {
    rule: "CAT-160",
    when: "a time that stands nowhere",
    patch: webhook("env: T, signed: «'{{ timestamp }}.{{ body }}'»"),
    at: `${AT}.signed`,
    says: ["timestamp", "timestamp_header"],
  },
  {
    rule: "CAT-160",
    when: "a time that is not signed",
    patch: {
      top: "webhooks: {changes: {scheme: «hmac_sha256», header: x-signature, env: T, timestamp_header: x-time}}",
    },
    at: `${AT}.scheme`,
    says: ["not signed", "timestamp"],
  },
];
