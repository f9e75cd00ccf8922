import { afterEach, describe, expect, it } from "vitest";
import { answerWith, type OwnServer } from "../testing/answer-with.ts";
import { CliError } from "../cli-error.ts";
import { connectionError, serverClient } from "./server-client.ts";

const servers: OwnServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function errorOf(listener: Parameters<typeof answerWith>[0]) {
  const server = await answerWith(listener);
  servers.push(server);
  try {
    await serverClient({ server: server.url, api_key: "k3y" }).get("/v1/registry", "text/plain");
  } catch (thrown) {
    if (thrown instanceof CliError) return { ...thrown, message: thrown.message, url: server.url };
    throw thrown;
  }
  throw new Error("no error");
}

const problem =
  (code: string, more: object = {}): Parameters<typeof answerWith>[0] =>
  (_, response) => {
    response.writeHead(409, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ code, title: "Title", status: 409, ...more }));
  };

describe("exit codes of problems (SURF-18, SURF-22)", () => {
  it.each([
    ["plasm-bad-request", 2],
    ["plasm-review-required", 3],
    ["plasm-approval-required", 3],
    ["plasm-session-lost", 5],
    ["plasm-unknown-session", 5],
    ["plasm-program-invalid", 1],
    ["plasm-run-failed", 1],
    ["plasm-commit-used", 1],
    ["plasm-cursor-exhausted", 1],
    ["plasm-unknown-handle", 1],
    ["plasm-upstream-timeout", 1],
    ["plasm-internal", 1],
    ["plasm-of-a-later-version", 1],
  ])("%s: %i", async (code, exitCode) => {
    expect(await errorOf(problem(code, { detail: "the text" }))).toMatchObject({ exitCode });
  });
});

describe("what a problem says (ERR-010, ERR-031)", () => {
  it("its text as it is; title and code without one", async () => {
    const text = "error unknown_slot at 1:6\nBoat{bilt=1}\n     ^^^^";
    expect((await errorOf(problem("plasm-program-invalid", { detail: text }))).message).toBe(text);
    expect((await errorOf(problem("plasm-busy"))).message).toBe("Title (plasm-busy)");
  });

  it("and the ref to run with, as an argument of this command line", async () => {
    const more = { detail: "review pc4: not run", _meta: { plasm: { plan_commit_ref: "pc4" } } };
    expect((await errorOf(problem("plasm-review-required", more))).message).toBe(
      "review pc4: not run\nHere: plasm run --commit pc4",
    );
  });
});

describe("a server that is none of Plasm's", () => {
  it("is named, with what it answered", async () => {
    const { message, url } = await errorOf((_, response) => {
      response.writeHead(404, { "content-type": "text/html" });
      response.end("<h1>Not found</h1>");
    });
    expect(message).toContain(`${url} answered 404 (text/html), not as a Plasm server does.`);
    expect(message).not.toContain("<h1>");
  });

  it("gets no key by a redirect (SURF-27)", async () => {
    const keys: unknown[] = [];
    const other = await answerWith((request, response) => {
      keys.push(request.headers["x-api-key"]);
      response.end("[]");
    });
    servers.push(other);
    const { message } = await errorOf((_, response) => {
      response.writeHead(302, { location: `${other.url}/v1/registry` });
      response.end();
    });
    expect(message).toContain("answered 302");
    expect(keys).toEqual([]);
  });

  it("a connection that breaks: what was asked may have been done", async () => {
    const { message } = await errorOf((request) => void request.socket.destroy());
    expect(message).toContain("broke before the answer came");
    expect(message).toContain("may have been done");
  });
});

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
