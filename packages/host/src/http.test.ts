import { describe, expect, it } from "vitest";
import { foreignHost, LOOPBACK_HOSTS } from "./http.ts";

const request = (host: string, origin?: string): Request =>
  new Request("http://127.0.0.1:3000/mcp", {
    headers: { host, ...(origin === undefined ? {} : { origin }) },
  });

describe("Host and Origin (SURF-1, G21)", () => {
  it.each(["127.0.0.1:3000", "localhost:3000", "LOCALHOST", "[::1]:3000", "127.0.0.1"])(
    "Host %s may call",
    (host) => expect(foreignHost(request(host), LOOPBACK_HOSTS)).toBeNull(),
  );

  it.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:3000", "[::2]", "0"])(
    "Host %s may not",
    (host) => {
      const problem = foreignHost(request(host), LOOPBACK_HOSTS);
      expect(problem?.status).toBe(403);
      expect(problem?.text).toContain("localhost, 127.0.0.1, [::1]");
    },
  );

  it.each(["http://localhost:6274", "http://127.0.0.1", "https://[::1]:8443"])(
    "Origin %s may call",
    (origin) => expect(foreignHost(request("localhost", origin), LOOPBACK_HOSTS)).toBeNull(),
  );

  it.each([
    "https://evil.example",
    "null",
    "",
    "file://",
    "chrome-extension://localhost",
    "http://localhost.evil.example",
    "nonsense",
  ])("Origin %j may not", (origin) => {
    const problem = foreignHost(request("localhost", origin), LOOPBACK_HOSTS);
    expect(problem?.code).toBe("plasm-policy-denied");
  });
});
