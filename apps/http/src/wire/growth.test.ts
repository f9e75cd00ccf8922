import { slowTexts } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { credentialOf, sentCredential } from "../routes/route.ts";
import { repeatedMember } from "./read-body.ts";

const withHeader = (name: string, value: string): Request =>
  new Request("http://127.0.0.1/", { headers: { [name]: value } });

describe("18.14 what a request says is read in proportion to its length", () => {
  it.each<readonly [string, (text: string) => unknown]>([
    ["Authorization", (text) => credentialOf(withHeader("authorization", `Bearer ${text}`))],
    ["a credential", (text) => sentCredential(withHeader("authorization", text))],
    ["a JSON text", (text) => repeatedMember(JSON.stringify({ [text]: text, b: [text] }))],
    ["a JSON text that is none", repeatedMember],
    ["a query string", (text) => [...new URL(`http://127.0.0.1/?${text}`).searchParams]],
  ])("%s", (_what, read) => {
    expect(slowTexts(read)).toEqual([]);
  });
});
