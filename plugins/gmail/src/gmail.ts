import type { Plugin } from "@plasm/runtime";
import manifest from "../package.json" with { type: "json" };
import { replyBody } from "./reply-body.ts";
import { sendBody } from "./send-body.ts";

/** The functions that catalogs of Gmail call by name (RUN-105). */
export const gmail: Plugin = Object.freeze({
  name: manifest.name,
  version: manifest.version,
  functions: new Map([
    ["gmail_rfc5322_send_body", sendBody],
    ["gmail_rfc5322_reply_send_body", replyBody],
  ]),
});
