import { createHash } from "node:crypto";

/** Forty hex digits that only this text gives: what a commit or a file is called. */
export const makeSha = (text: string): string => createHash("sha1").update(text).digest("hex");
