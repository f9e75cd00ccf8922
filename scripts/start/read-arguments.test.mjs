import { expect, test } from "vitest";
import { readStartArguments } from "./read-arguments.mjs";

const read = (...args) => readStartArguments(args, "/repo", "/home/me");

const samples = [
  "--catalogs=/repo/packages/testkit/catalogs/quay",
  "--catalogs=/repo/packages/testkit/catalogs/yard",
];

test("without arguments data, catalogs and ports are the repository's", () => {
  expect(read()).toEqual({
    dataDir: "/repo/.data",
    samplePorts: { quay: undefined, yard: undefined },
    serve: ["--data=/repo/.data", ...samples, "--catalogs=/repo/catalogs"],
  });
});

test("directories given are the caller's; sample catalogs stay", () => {
  const { dataDir, serve } = read("--data", "mine", "--catalogs=a", "--catalogs", "/b");
  expect(dataDir).toBe("/home/me/mine");
  expect(serve).toEqual([
    "--data=/home/me/mine",
    ...samples,
    "--catalogs=/home/me/a",
    "--catalogs=/b",
  ]);
});

test.each(["--data=", "--data= ", "--catalogs="])("%s names no directory", (argument) => {
  expect(() => read(argument)).toThrow("is empty. Name a directory.");
});

test("what is not ours reaches the server as it was typed", () => {
  const rest = ["--port", "4100", "--host=::1", "--nonsense", "a b", "--data"];
  expect(read(...rest).serve.slice(-rest.length)).toEqual(rest);
});

test("ports of the sample APIs are taken out", () => {
  const { samplePorts, serve } = read("--quay-port", "0", "--yard-port=4900");
  expect(samplePorts).toEqual({ quay: 0, yard: 4900 });
  expect(serve).not.toContain("--quay-port");
});

test.each(["x", "70000", "-1", "1.5"])("%s is no port", (port) => {
  expect(() => read(`--quay-port=${port}`)).toThrow("--quay-port takes a port");
});
