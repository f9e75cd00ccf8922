import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const BASE = "/console/";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** No inline code, no other place, no frame, and no text that becomes code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  // For what does not know frame-ancestors.
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
};

/** An answer with what keeps browsers from doing anything else with it. */
export function secured(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}

const CARD = "card.html";

/** The page on which an MCP client shows a plan to its person, where the files of a console are; undefined where they are not. */
export function cardIn(directory: string | undefined): (() => Promise<string>) | undefined {
  if (directory === undefined || !existsSync(join(directory, CARD))) return undefined;
  let text: string | null = null;
  return async () => (text ??= await readFile(join(directory, CARD), "utf8"));
}

interface ServedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const compress = promisify(gzip);

/** All files of a directory, read once, by their path from it. */
async function readFiles(directory: string): Promise<ReadonlyMap<string, ServedFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in TYPES);
  return new Map(
    await Promise.all(
      files.map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = new Uint8Array(await readFile(path));
        const zipped = new Uint8Array(await compress(bytes));
        const name = relative(directory, path).split(sep).join("/");
        return [name, { bytes, zipped, type: TYPES[extname(name)] ?? "" }] as const;
      }),
    ),
  );
}

const MISSING =
  "The console is not part of this installation: build it with node scripts/build.mjs, and start plasm serve again.\n";

const text = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  secured(
    new Response(body, {
      status,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        ...headers,
      },
    }),
  );

function send(request: Request, name: string, file: ServedFile): Response {
  const zips = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  // The names of assets change with what is in them.
  const cache = name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  const body = zips ? file.zipped : file.bytes;
  return secured(
    new Response(request.method === "HEAD" ? null : body, {
      headers: {
        "content-type": file.type,
        "content-length": String(body.byteLength),
        "cache-control": cache,
        vary: "Accept-Encoding",
        ...(zips ? { "content-encoding": "gzip" } : {}),
      },
    }),
  );
}

/** Returns what answers for the files of the console. A path without a file is a page of it, which its own code shows. */
export function consoleFiles(
  directory: string | undefined,
): (request: Request) => Promise<Response> {
  let reading: Promise<ReadonlyMap<string, ServedFile>> | null = null;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === BASE.slice(0, -1)) return text(308, "", { location: BASE });
    if (request.method !== "GET" && request.method !== "HEAD")
      return text(405, "Open this page in a browser.\n", { allow: "GET, HEAD" });
    if (directory === undefined) return text(404, MISSING);
    reading ??= readFiles(directory);
    const files = await reading;
    const name = pathname.slice(BASE.length);
    const file = files.get(name);
    if (file !== undefined) return send(request, name, file);
    const page = files.get("index.html");
    if (page === undefined) return text(404, MISSING);
    if (extname(name) !== "") return text(404, "There is no such file.\n");
    return send(request, "index.html", page);
  };
}
