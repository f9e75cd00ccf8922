import { expect, it } from "vitest";
import { SessionEndpoints } from "./session-endpoints.ts";

it("18: runs of sessions that ask no chain leave nothing behind", () => {
  const endpoints = new SessionEndpoints();
  for (let n = 0; n < 1_000; n += 1) {
    const own = endpoints.of(`s${n}`);
    expect(own.get("https://node")).toBeUndefined();
    own.delete("https://node");
  }
  expect(endpoints.size).toBe(0);
});

it("MAP-053: runs of one session share what they asked, and no others do", async () => {
  const endpoints = new SessionEndpoints();
  endpoints.of("one").set("https://node", Promise.resolve("1"));
  expect(await endpoints.of("one").get("https://node")).toBe("1");
  expect(endpoints.of("two").get("https://node")).toBeUndefined();
  endpoints.of("one").delete("https://node");
  expect(endpoints.of("one").get("https://node")).toBeUndefined();
  expect(endpoints.size).toBe(0);
});

it("MAP-053: a run that began before another asked knows what that one asked", async () => {
  const endpoints = new SessionEndpoints();
  const [first, second] = [endpoints.of("one"), endpoints.of("one")];
  second.set("https://node", Promise.resolve("1"));
  expect(await first.get("https://node")).toBe("1");
});

it("18: a process knows the endpoints of so many sessions at most, those asked last", () => {
  const endpoints = new SessionEndpoints(10);
  for (let n = 0; n < 100; n += 1) endpoints.of(`s${n}`).set("https://node", Promise.resolve("1"));
  expect(endpoints.size).toBe(10);
  expect(endpoints.of("s99").get("https://node")).toBeDefined();
  expect(endpoints.of("s0").get("https://node")).toBeUndefined();
});
