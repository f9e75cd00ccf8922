import { expect, it } from "vitest";
import { RunFailure } from "../run-failure.ts";
import { abiCoder } from "./abi-coder.ts";

const missing = () => Promise.reject(new Error("Cannot find package 'ethers'"));

it("18.20 where ethers is not installed, what reads contracts says so, until it is", async () => {
  for (const _ of [1, 2]) {
    const thrown: unknown = await abiCoder(missing).catch((cause: unknown) => cause);
    expect(thrown).toBeInstanceOf(RunFailure);
    expect(String((thrown as RunFailure).failure.correction)).toContain("npm install ethers@6");
  }
  expect(await abiCoder()).toHaveProperty("AbiCoder");
});
