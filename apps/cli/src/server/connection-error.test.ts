import { describe, expect, it } from "vitest";
import { connectionError } from "./connection-error.ts";

/** As fetch throws: what the socket said is the cause. */
const thrownFor = (code: string): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("why"), { code }) });

const messageFor = (thrown: unknown): string => connectionError("http://quay", thrown).message;

describe("why no answer came", () => {
  it.each(["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT", "SELF_SIGNED_CERT_IN_CHAIN"])(
    "%s: nothing can have been done",
    (code) => expect(messageFor(thrownFor(code))).toContain(`No server at http://quay (${code}).`),
  );

  it.each(["ECONNRESET", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT", "ESOMETHING"])(
    "%s: it may have been done",
    (code) => expect(messageFor(thrownFor(code))).toContain("may have been done"),
  );

  it("whatever is thrown", () => {
    const refused = new TypeError("fetch failed", { cause: new Error("bad port") });
    expect(messageFor(refused)).toContain("No server at http://quay (bad port).");
    expect(messageFor("odd")).toContain("(unknown)");
  });
});
