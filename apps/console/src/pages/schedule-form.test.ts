import { describe, expect, it } from "vitest";
import { scheduleBody } from "./schedule-form.tsx";

const DRAFT = { cron: " 0 7 * * 1 ", zone: "", values: {}, watch: false, key: "id" };

describe("SURF-61: what is sent to have a program run at times", () => {
  it.each([
    ["what is empty is left out", {}, {}],
    ["a zone", { zone: " Europe/Berlin" }, { zone: "Europe/Berlin" }],
    [
      "values as they were typed, blanks included",
      { values: { since: "today-7d", text: " a ", none: "" } },
      { arguments: { since: "today-7d", text: " a " } },
    ],
    ["a watch by the key of its entity", { watch: true, key: " , " }, { watch: true }],
    ["a watch by columns", { watch: true, key: "id, name" }, { watch: true, key: ["id", "name"] }],
  ])("%s", (_, draft, more) => {
    expect(scheduleBody("moored", { ...DRAFT, ...draft })).toEqual({
      program: "moored",
      cron: "0 7 * * 1",
      ...more,
    });
  });
});
