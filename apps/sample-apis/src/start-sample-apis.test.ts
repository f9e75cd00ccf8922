import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSampleApis } from "./start-sample-apis.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  send,
  startForTest,
} from "./testing/start-for-test.ts";

let dataDir = "";
beforeEach(async () => {
  dataDir = await makeTemporaryDirectory();
});
afterEach(() => removeDirectory(dataDir));

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));

test("a second start reuses the data of the first, in both APIs", async () => {
  {
    await using apis = await startForTest({ dataDir });
    await send("PATCH", `${apis.quay.url}/boats/b1`, { name: "Kept" });
    await send("POST", `${apis.yard.url}/parts/a/2/edits`, { ops: [{ op: "drop", at: 0 }] });
  }
  await using apis = await startForTest({ dataDir });
  expect((await send("GET", `${apis.quay.url}/boats/b1`)).body).toMatchObject({ name: "Kept" });
  expect((await send("GET", `${apis.yard.url}/parts/a/2`)).body).toMatchObject({ lines: [] });
});

test("two first starts seed the same files", async () => {
  const other = join(dataDir, "other");
  for (const dir of [dataDir, other]) await (await startForTest({ dataDir: dir })).close();
  for (const file of ["quay.json", "yard.json"]) {
    expect(await readFile(join(dataDir, file))).toEqual(await readFile(join(other, file)));
  }
});

test("a change that cannot be stored is a 500 and has not happened", async () => {
  await using apis = await startForTest({ dataDir });
  await mkdir(join(dataDir, "quay.json.tmp"));
  const answer = await send("PATCH", `${apis.quay.url}/boats/b1`, { name: "x" });
  expect(answer.status).toBe(500);
  expect(answer.body).toMatchObject({ message: expect.stringContaining("EISDIR") });
  expect((await send("GET", `${apis.quay.url}/boats/b1`)).body).toMatchObject({ name: "Alma" });
});

test("requests are recorded in order, as they came, whatever the answer", async () => {
  await using apis = await startForTest();
  await send("GET", `${apis.quay.url}/boats?state=lost&page=2`);
  await send("PATCH", `${apis.quay.url}/boats/a%2Fb`, { note: null });
  await send("POST", `${apis.yard.url}/nowhere`, "no json");
  const seen = apis.requests.map(({ headers: _headers, ...rest }) => rest);
  expect(seen).toEqual([
    { api: "quay", method: "GET", path: "/boats", query: { state: "lost", page: "2" } },
    { api: "quay", method: "PATCH", path: "/boats/a%2Fb", query: {}, body: { note: null } },
    { api: "yard", method: "POST", path: "/nowhere", query: {}, body: "no json" },
  ]);
  expect(apis.requests[0]?.headers).toMatchObject({ accept: "*/*" });
  apis.forgetRequests();
  expect(apis.requests).toEqual([]);
});

test("only the newest requests are kept", async () => {
  await using apis = await startForTest({ keepRequests: 2 });
  for (const id of [1, 2, 3]) await send("GET", `${apis.yard.url}/boats/${id}`);
  expect(apis.requests.map(({ path }) => path)).toEqual(["/boats/2", "/boats/3"]);
});

test("a hook sees every request and may answer in the server's place", async () => {
  const seen: string[] = [];
  await using apis = await startForTest({
    onRequest: ({ method, path }) => {
      seen.push(`${method} ${path}`);
      return path === "/boats/b2"
        ? Response.json({ message: "later" }, { status: 503 })
        : undefined;
    },
  });
  expect((await send("GET", `${apis.quay.url}/boats/b1`)).status).toBe(200);
  expect(await send("GET", `${apis.quay.url}/boats/b2`)).toMatchObject({
    status: 503,
    body: { message: "later" },
  });
  expect(seen).toEqual(["GET /boats/b1", "GET /boats/b2"]);
});

test("a taken port is one clear error, and the other server is not left running", async () => {
  const blocker = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => blocker.once("listening", resolve));
  const taken = (blocker.address() as AddressInfo).port;
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const free = (probe.address() as AddressInfo).port;
  await close(probe);

  const start = startSampleApis({ dataDir, ports: { quay: free, yard: taken } });
  await expect(start).rejects.toThrow(
    `yard cannot listen on 127.0.0.1:${taken}: the port is taken, perhaps by another npm start. ` +
      "End the program that holds it, or choose another port with --yard-port.",
  );
  await expect(fetch(`http://127.0.0.1:${free}/boats`)).rejects.toThrow("fetch failed");
  await close(blocker);
});

test("close ends although a client keeps its connection open", async () => {
  const apis = await startForTest({ dataDir });
  await send("GET", `${apis.quay.url}/boats`);
  await apis.close();
  await expect(fetch(`${apis.quay.url}/boats`)).rejects.toThrow("fetch failed");
});
