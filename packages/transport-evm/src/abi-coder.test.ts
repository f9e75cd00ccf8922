import { expect, it, vi } from "vitest";

const missing = () => Promise.reject(new Error("Cannot find package 'ethers'"));

it("18.20 where ethers is not installed, what reads contracts says so, until it is", async () => {
  // A coder that another test file has loaded would be known already.
  vi.resetModules();
  const { abiCoder } = await import("./abi-coder.ts");
  const { RunFailure } = await import("@plasm/runtime");
  for (const _ of [1, 2]) {
    const thrown: unknown = await abiCoder(missing).catch((cause: unknown) => cause);
    expect(thrown).toBeInstanceOf(RunFailure);
    expect(thrown).toMatchObject({
      failure: { correction: expect.stringContaining("npm install ethers@6") },
    });
  }
  expect(await abiCoder()).toHaveProperty("AbiCoder");
});
