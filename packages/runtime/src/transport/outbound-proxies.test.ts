import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type ProxyManner,
  startProxy,
  startServer,
  type TestProxy,
  type TestServer,
} from "@plasm/testkit/servers";
import type { TransportRequest } from "../ports.ts";
import { createHttpTransport } from "./http-transport.ts";
import { outboundFetch, outboundProxies } from "./outbound-proxies.ts";

let api: TestServer;
let proxy: TestProxy;
const open = async (manner: ProxyManner = {}): Promise<void> => {
  api = await startServer(() => ({ json: { of: "api" } }));
  const place = new URL(api.url).host;
  const hosts = { "api.invalid": place, "api.invalid:443": place };
  proxy = await startProxy({ hosts, ...manner });
};
afterEach(() => Promise.all([api.close(), proxy.close()]));

const request = (url: string, over: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  url,
  headers: [],
  body: null,
  allowPrivate: false,
  connectTimeoutMs: 2_000,
  timeoutMs: 2_000,
  maxResponseBytes: 1_000,
  freshConnection: false,
  ...over,
});

/** One request by way of the proxy. */
async function send(url: string, except = "", over: Partial<TransportRequest> = {}) {
  const transport = createHttpTransport({ http: proxy.url, https: proxy.url, except });
  const outcome = await transport.send(request(url, over));
  await transport.close();
  return outcome.ok ? JSON.parse(Buffer.from(outcome.response.body).toString()) : outcome.failure;
}

describe("RUN-196: requests go by way of the proxies of the environment", () => {
  test("an http address is asked of the proxy, which knows its name", async () => {
    await open();
    expect(await send("http://api.invalid/x?y=1")).toEqual({ of: "api" });
    expect(proxy.log).toEqual(["GET http://api.invalid/x?y=1"]);
    expect(api.log.map(({ url }) => url)).toEqual(["/x?y=1"]);
  });

  test("an https address is asked through a tunnel", async () => {
    await open();
    expect(await send("https://api.invalid/x")).toMatchObject({ kind: "tls" });
    expect(proxy.log).toEqual(["CONNECT api.invalid:443"]);
  });

  test("the credential of the proxy is the proxy's alone", async () => {
    await open({ credential: `Basic ${btoa("ann:secret")}` });
    const url = proxy.url.replace("//", "//ann:secret@");
    const transport = createHttpTransport({ http: url, https: url, except: "" });
    const outcome = await transport.send(request("http://api.invalid/x"));
    await transport.close();
    expect(outcome).toMatchObject({ ok: true, response: { status: 200 } });
  });

  test("this machine is asked directly where it may be", async () => {
    await open();
    expect(await send(`${api.url}/x`, "", { allowPrivate: true })).toEqual({ of: "api" });
    expect(proxy.log).toEqual([]);
  });

  test.each(["http://127.0.0.1:1/x", "http://10.0.0.7/x", "http://localhost/x", "http://[::1]/x"])(
    "RUN-140 %s is refused as ever, and not asked of the proxy",
    async (url) => {
      await open();
      expect(await send(url)).toMatchObject({ kind: "address_refused", sent: false });
      expect(proxy.log).toEqual([]);
    },
  );

  test("RUN-140 a name that is known here and leads to a private address is refused, looked up once", async () => {
    await open();
    const transport = createHttpTransport({ http: proxy.url, https: proxy.url, except: "" });
    const looked = vi
      .spyOn(dns, "lookup")
      .mockImplementation(((
        _host: string,
        _options: object,
        told: (error: null, found: object[]) => void,
      ) => told(null, [{ address: "10.0.0.7", family: 4 }])) as never);
    syncBuiltinESMExports();
    try {
      for (const path of ["/1", "/2"])
        expect(await transport.send(request(`http://inner.example${path}`))).toMatchObject({
          failure: { kind: "address_refused", sent: false },
        });
      expect(looked).toHaveBeenCalledTimes(1);
    } finally {
      looked.mockRestore();
      syncBuiltinESMExports();
      await transport.close();
    }
    expect(proxy.log).toEqual([]);
  });

  test("hosts that are excepted are asked directly", async () => {
    await open();
    expect(await send("http://api.invalid/x", "api.invalid")).toMatchObject({ kind: "connect" });
    expect(proxy.log).toEqual([]);
  });

  test("a tunnel that the proxy refuses, or a proxy that is away, sent nothing", async () => {
    await open({ refuses: 403 });
    const refused = await send("https://api.invalid/x");
    expect(refused).toMatchObject({ kind: "connect", sent: false, detail: "UND_ERR_ABORTED" });
    await proxy.close();
    const away = await send("https://api.invalid/x");
    expect(away).toMatchObject({ kind: "connect", sent: false });
  });

  test("fetch goes the same way", async () => {
    await open();
    const proxies = { http: proxy.url, https: proxy.url, except: "" };
    const fetched = await outboundFetch(proxies)("http://api.invalid/keys");
    expect([fetched.status, await fetched.json()]).toEqual([200, { of: "api" }]);
    await outboundFetch(proxies)(`${api.url}/own`);
    expect(proxy.log).toEqual(["GET http://api.invalid/keys"]);
  });
});

describe("RUN-196: what the environment says", () => {
  test.each([
    [{}, null],
    [{ NO_PROXY: "a.example" }, null],
    [
      { HTTPS_PROXY: "http://p.example:3128", NO_PROXY: "a.example" },
      { http: "", https: "http://p.example:3128", except: "a.example" },
    ],
    [
      { http_proxy: "p.example:3128", HTTP_PROXY: "http://q.example" },
      { http: "http://p.example:3128", https: "", except: "" },
    ],
    [
      { ALL_PROXY: "http://p.example", https_proxy: "http://q.example" },
      { http: "http://p.example", https: "http://q.example", except: "" },
    ],
  ])("%j", (env, proxies) => {
    expect(outboundProxies(env)).toEqual(proxies);
  });

  test("what is no address of http is refused, and not repeated", () => {
    expect(() => outboundProxies({ HTTPS_PROXY: "socks5://ann:secret@p.example" })).toThrow(
      "HTTPS_PROXY is no address of http or https: write it as http://proxy.example:3128",
    );
  });
});
