import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type {
  Transport,
  TransportFailure,
  TransportRequest,
  TransportResponse,
  OutboundProxies,
} from "@plasm/runtime";
import type { CliContext, Environment } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { CLI_VERSION } from "../version.ts";
import { DocumentText, type SourceDocument, withItsFiles } from "./document-files.ts";

/** What a document may cost that somebody else's server answers. */
const MOST_BYTES = 100_000_000;
const CONNECT_MS = 10_000;
const WHOLE_MS = 60_000;
const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What documents come as; many servers know no better than plain text or bytes. What a page is, its reader says. */
const TAKEN = /json|yaml|yml|text\/|xml|octet-stream|graphql|x-download|force-download/i;
const ADDRESS = /^https?:\/\//i;

/** Whether it names an http or https address, not a file. */
export const isAddress = (from: string): boolean => ADDRESS.test(from);

const codeOf = (thrown: unknown): string => (thrown as NodeJS.ErrnoException).code ?? "unknown";

export const digestOf = (bytes: Uint8Array): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

function textOf(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${from} is not UTF-8 text.`);
  }
}

const readBytes = (bytes: Uint8Array, from: string, url: string | null): SourceDocument => ({
  text: new DocumentText(textOf(bytes, from)),
  digest: digestOf(bytes),
  url,
});

/** An address without what a person must not see on a screen: user, password and query. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function addressOf(from: string): URL {
  const url = URL.canParse(from) ? new URL(from) : null;
  if (url === null)
    throw usageError(`${from} is not an address: http or https, a host and a path.`);
  if (`${url.username}${url.password}` !== "")
    throw usageError(
      `${shown(url)}: the address holds a user or a password, which would be kept. Fetch it yourself: curl … | plasm … -`,
    );
  url.hash = "";
  return url;
}

/** Why nothing came, and what to do about it. */
function unreached(url: URL, { kind, detail }: TransportFailure): string {
  const said = shown(url);
  switch (kind) {
    case "address_refused":
      return `${said}: ${url.hostname} leads to a private address, which is fetched only where the address itself is written, as in http://127.0.0.1:8080. Download the document and name the file.`;
    case "unkept":
    case "too_large":
      return `${said}: the answer has more than ${MOST_BYTES} bytes, the most that is read. Download it, take out what is not needed, and name the file.`;
    case "timeout":
      return `${said}: no whole answer came within ${WHOLE_MS / 1_000} s. Try again, or download it and name the file.`;
    case "tls":
      return `${said}: the server's certificate was refused (${detail}).`;
    case "connect":
      return `${said}: no connection (${detail}). Look at the address and the network.`;
    case "aborted":
    case "lost":
    case "malformed":
    case "replay_miss":
      return `${said}: the connection broke, or the answer is not HTTP (${detail}).`;
  }
}

const headerOf = ({ headers }: TransportResponse, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

function redirected(from: URL, response: TransportResponse): URL {
  const location = headerOf(response, "location") ?? "";
  const url = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  const isWorse = url !== null && from.protocol === "https:" && url.protocol !== "https:";
  if (url === null || !/^https?:$/.test(url.protocol) || isWorse) {
    throw failedError(
      `${shown(from)} redirects to ${JSON.stringify(location)}, which is not followed: only http and https are, and from https only https.`,
    );
  }
  return url;
}

function bodyOf(url: URL, response: TransportResponse): Uint8Array {
  const { status, body } = response;
  const said = shown(url);
  if (status === 401 || status === 403) {
    throw failedError(
      `${said} answered ${status}: it needs a credential. Fetch it yourself and pipe it in: curl -H "Authorization: …" ${said} | plasm … -`,
    );
  }
  if (status !== 200) throw failedError(`${said} answered ${status}, not a document.`);
  const type = headerOf(response, "content-type") ?? "";
  if (type !== "" && !TAKEN.test(type)) {
    throw failedError(`${said} answered ${type}, not JSON, YAML or a GraphQL schema.`);
  }
  return body;
}

/** One request for a document, with all that it may cost. */
interface Asking {
  readonly first: URL;
  readonly until: number;
  readonly transport: Transport;
}

const GET = {
  method: "GET",
  headers: [
    ["accept", "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.5"],
  ],
  body: null,
} as const;

/** Sends a request to an address, and to where that leads. Throws CliError. */
async function asked(
  { first, until, transport }: Asking,
  from: URL,
  { method, headers, body }: Pick<TransportRequest, "method" | "headers" | "body">,
): Promise<{ readonly url: URL; readonly response: TransportResponse }> {
  let url = from;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const outcome = await transport.send({
      method,
      url: url.href,
      headers: [
        ...headers,
        ["accept-encoding", "gzip, deflate, br"],
        ["user-agent", `plasm/${CLI_VERSION}`],
      ],
      body,
      // Whoever started this has written the first address; where it leads, somebody else has.
      allowPrivate: url.origin === first.origin,
      connectTimeoutMs: CONNECT_MS,
      timeoutMs: Math.max(1, until - performance.now()),
      maxResponseBytes: MOST_BYTES,
      freshConnection: false,
    });
    if (!outcome.ok) throw failedError(unreached(url, outcome.failure));
    const { response } = outcome;
    if (!REDIRECTS.has(response.status)) return { url, response };
    url = redirected(url, response);
  }
  throw failedError(`${shown(first)} redirects more than ${MOST_REDIRECTS} times.`);
}

/** The beginning of an answer, as text. */
const beginningOf = ({ body }: TransportResponse): string =>
  new TextDecoder().decode(body.subarray(0, 20_000));

/** Statuses that a GraphQL endpoint answers a GET without a query. */
const NO_QUERY: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);

/** Whether what a GET answers is no document, but may come from a GraphQL endpoint. */
function mayBeEndpoint(url: URL, response: TransportResponse): boolean {
  const { status } = response;
  const isNamed = /graphi?ql|\bgql\b/i.test(url.pathname) && !/\.\w+$/.test(url.pathname);
  if (NO_QUERY.has(status)) return true;
  if (status !== 200) return isNamed && status >= 400 && status !== 429;
  const text = beginningOf(response);
  if (/^\uFEFF?\s*</.test(text)) return isNamed || /graphi?ql/i.test(text);
  return isNamed && !/"__schema"|^[ \t]*(?:type|schema|directive|scalar|interface)\b/m.test(text);
}

/** What an endpoint says of why it does not tell its schema. */
function refusalIn(text: string): string | null {
  try {
    const { errors } = JSON.parse(text) as { readonly errors?: readonly { message?: unknown }[] };
    const message = errors?.[0]?.message;
    return typeof message === "string" ? message.replaceAll(/\s+/g, " ").slice(0, 200) : null;
  } catch {
    return null;
  }
}

const fromFile = (said: string): string =>
  `Name its schema as a file (SDL, or an introspection result), with --server ${said}`;

/** The schema of a GraphQL endpoint; null where it is none. Throws CliError for one that does not tell its schema. */
async function introspected(asking: Asking, from: URL): Promise<SourceDocument | null> {
  const { introspectionQuery } = await import("@plasm/importers");
  const query = JSON.stringify({ query: await introspectionQuery() });
  const { url, response } = await asked(asking, from, {
    method: "POST",
    headers: [
      ["accept", "application/graphql-response+json, application/json"],
      ["content-type", "application/json"],
    ],
    body: new TextEncoder().encode(query),
  });
  const said = shown(url);
  const { status, body } = response;
  if (status === 401 || status === 403)
    throw failedError(`${said} answered ${status}: it needs a credential. ${fromFile(said)}`);
  const text = new TextDecoder().decode(body);
  if (status === 200 && text.includes('"__schema"'))
    return { ...readBytes(body, said, url.href), isEndpoint: true };
  const refusal = refusalIn(text);
  if (refusal === null) return null;
  throw failedError(
    `${said} is a GraphQL endpoint that does not tell its schema: ${JSON.stringify(refusal)}. ${fromFile(said)}`,
  );
}

/** Fetches one address, and where that leads; a GraphQL endpoint is asked for its schema. Throws CliError. */
async function fetched(from: string, transport: Transport): Promise<SourceDocument> {
  const first = addressOf(from);
  const asking = { first, until: performance.now() + WHOLE_MS, transport };
  const { url, response } = await asked(asking, first, GET);
  if (mayBeEndpoint(url, response)) {
    const found = await introspected(asking, url);
    if (found !== null) return found;
  }
  const bytes = bodyOf(url, response);
  return readBytes(bytes, shown(url), url.href);
}

/** The proxies of the environment (RUN-196); null for none. Throws CliError. */
export async function proxiesOf(env: Environment): Promise<OutboundProxies | null> {
  const { outboundProxies } = await import("@plasm/runtime");
  try {
    return outboundProxies(env);
  } catch (thrown) {
    throw thrown instanceof TypeError ? usageError(`${thrown.message}.`) : thrown;
  }
}

async function fetchOnce(from: string, { env }: Pick<CliContext, "env">): Promise<SourceDocument> {
  // Loaded on demand: the network is needed for addresses alone.
  const { createHttpTransport } = await import("@plasm/runtime");
  const transport = createHttpTransport(await proxiesOf(env));
  try {
    return await fetched(from, transport);
  } finally {
    await transport.close();
  }
}

async function standardInput({
  readStdin,
}: Pick<CliContext, "readStdin">): Promise<SourceDocument> {
  const bytes = await readStdin();
  if (bytes === null)
    throw usageError(
      "- is standard input, where a person sits. Pipe a document in, or name a file.",
    );
  if (bytes.length === 0) throw usageError("Standard input is empty: pipe a document in.");
  return readBytes(bytes, "Standard input", null);
}

/**
 * Reads a document: a file with those below its directory that it refers to, an http or https address, or `-` for
 * standard input. Nothing else is read or fetched. Throws CliError, a usage error for what the command line names
 * wrongly.
 */
export async function readSource(
  from: string,
  cli: Pick<CliContext, "cwd" | "env" | "readStdin">,
): Promise<SourceDocument> {
  if (from === "-") return withItsFiles("Standard input", await standardInput(cli), null);
  if (!isAddress(from)) return withItsFiles(from, await oneFile(from, cli), cli.cwd);
  const read = await fetchOnce(from, cli);
  return withItsFiles(shown(new URL(read.url ?? from)), read, null);
}

async function oneFile(from: string, cli: Pick<CliContext, "cwd">): Promise<SourceDocument> {
  try {
    const bytes = await readFile(resolve(cli.cwd, from));
    return readBytes(bytes, from, null);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown)
      throw usageError(`${from} cannot be read (${codeOf(thrown)}).`);
    throw thrown;
  }
}

/** The text of a file beside a document. Throws CliError. */
export async function readTextFile(file: string, cwd: string): Promise<string> {
  try {
    return textOf(await readFile(resolve(cwd, file)), file);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown)
      throw usageError(`${file} cannot be read (${codeOf(thrown)}).`);
    throw thrown;
  }
}
