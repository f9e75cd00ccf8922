import { expect, it } from "vitest";
import { SessionChains } from "./session-chains.ts";

it("18: runs of sessions that ask no chain leave nothing behind", () => {
  const chains = new SessionChains();
  for (let n = 0; n < 1_000; n += 1) {
    const own = chains.of(`s${n}`);
    expect(own.get("https://node")).toBeUndefined();
    own.delete("https://node");
  }
  expect(chains.size).toBe(0);
});

it("MAP-053: runs of one session share what they asked, and no others do", async () => {
  const chains = new SessionChains();
  chains.of("one").set("https://node", Promise.resolve("1"));
  expect(await chains.of("one").get("https://node")).toBe("1");
  expect(chains.of("two").get("https://node")).toBeUndefined();
  chains.of("one").delete("https://node");
  expect(chains.of("one").get("https://node")).toBeUndefined();
  expect(chains.size).toBe(0);
});

it("MAP-053: a run that began before another asked knows what that one asked", async () => {
  const chains = new SessionChains();
  const [first, second] = [chains.of("one"), chains.of("one")];
  second.set("https://node", Promise.resolve("1"));
  expect(await first.get("https://node")).toBe("1");
});

it("18: a process knows the chains of so many sessions at most, those asked last", () => {
  const chains = new SessionChains(10);
  for (let n = 0; n < 100; n += 1) chains.of(`s${n}`).set("https://node", Promise.resolve("1"));
  expect(chains.size).toBe(10);
  expect(chains.of("s99").get("https://node")).toBeDefined();
  expect(chains.of("s0").get("https://node")).toBeUndefined();
});
