import { describe, expect, it } from "vitest";
import { KeyedLock } from "./keyed-lock.ts";

describe("KeyedLock", () => {
  it("runs one key's work in order and lets other keys pass", async () => {
    const lock = new KeyedLock();
    const order: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = lock.run("a", async () => {
      await held;
      order.push("a1");
    });
    const second = lock.run("a", async () => void order.push("a2"));
    await lock.run("b", async () => void order.push("b1"));
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(["b1", "a1", "a2"]);
  });

  it("goes on after work that failed", async () => {
    const lock = new KeyedLock();
    const failed = lock.run("a", () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    expect(await lock.run("a", async () => 7)).toBe(7);
  });
});
