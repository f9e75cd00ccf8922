#!/usr/bin/env node
/*
 * NAME in one file. The program stands in the comments after the loader; the licences of what it is made of
 * are in licences.txt of the package. What Node compiles of it is kept under
 * $XDG_CACHE_HOME/plasm (~/.cache/plasm), and the next start takes half the time;
 * NODE_DISABLE_COMPILE_CACHE=1 turns that off.
 */
import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { readSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import zlib from "node:zlib";

const KEPT = 16;
const AFTER_MS = 2_000;
const CHECK_BYTES = 4;

/** `engines.node` of the package: always `^A.B.C || >=D`. */
const ENGINES = "NODE_RANGE";

/** Ends an older Node here, with words: it would end with the name of something that it lacks. */
const demandNode = () => {
  const [major, minor, , newest] = ENGINES.match(/\d+/g).map(Number);
  const [own, ownMinor] = process.version.slice(1).split(".").map(Number);
  if (own >= newest || (own === major && ownMinor >= minor)) return;
  const here = `${process.execPath} is ${process.version}`;
  const needed = `Node ${newest} or later, or ${major} from ${major}.${minor}`;
  console.error(`NAME: needs ${needed}, and ${here}. Get one: https://nodejs.org/download`);
  process.exit(1);
};

demandNode();

/** In a thread that the program has opened: its file, what stands in that, and what the thread runs. */
const thread = isMainThread ? null : (workerData?.ofProgram ?? null);
const file = thread?.file ?? fileURLToPath(import.meta.url);

/** Held open: the code of a part is read when it is asked for, from this very file. */
const descriptor = openSync(file, "r");

const bytesOf = (start, end) => {
  const bytes = Buffer.allocUnsafe(end - start);
  let read = 0;
  while (read < bytes.length) {
    const more = readSync(descriptor, bytes, read, bytes.length - read, start + read);
    if (more === 0) break;
    read += more;
  }
  return bytes.subarray(0, read);
};

/**
 * What follows this loader, as it was written: its bytes, its name by content, and of the program and its parts, by name,
 * where the code lies in it, the lines before, and a checksum. The program's own name is empty.
 */
const { bytes: following, ownName, places } = JSON.parse("WHAT_FOLLOWS");
const loaderBytes = fstatSync(descriptor).size - following;
const sections = new Map(places);

/** The code of a section, out of its comments. */
const codeOf = ({ start, end, sum }) => {
  const bytes = bytesOf(loaderBytes + start, loaderBytes + end);
  if (zlib.crc32(bytes) !== sum) {
    throw new Error(`${file} is not as it was built: start NAME again, or install it anew`);
  }
  return bytes.latin1Slice("//".length).replaceAll("\n//", "\n").replaceAll("/~~~*", "/*");
};

/** Code that will be run lies with this user's caches; null where there are none. */
const cacheDirectory = () => {
  const { NODE_COMPILE_CACHE: set, NODE_DISABLE_COMPILE_CACHE: off, XDG_CACHE_HOME } = process.env;
  if (off === "1") return null;
  try {
    return set || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "plasm", "compiled");
  } catch {
    return null;
  }
};

const check = (bytes) => {
  const sum = Buffer.alloc(CHECK_BYTES);
  sum.writeUInt32LE(zlib.crc32(bytes));
  return sum;
};

/** What was kept, if it is whole and this user's own: nobody else may say what is run. */
const read = (path) => {
  let descriptor = null;
  try {
    descriptor = openSync(path, "r");
    if (process.geteuid && fstatSync(descriptor).uid !== process.geteuid()) return undefined;
    const bytes = readFileSync(descriptor);
    const data = bytes.subarray(0, -CHECK_BYTES);
    return bytes.subarray(-CHECK_BYTES).equals(check(data)) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
};

/** Removes all but the newest of what was kept. */
const prune = (directory) => {
  const aged = readdirSync(directory)
    .filter((name) => name.startsWith("NAME-"))
    .map((name) => join(directory, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .toSorted((a, b) => b.time - a.time);
  for (const { path } of aged.slice(KEPT)) rmSync(path, { force: true });
};

/** Keeps what is compiled by now; it only ever saves time, so it has no errors. */
const keep = (path, script) => {
  const part = `${path}.${randomUUID()}`;
  try {
    const data = script.createCachedData();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Written aside and renamed: a reader sees the whole of it or nothing.
    writeFileSync(part, Buffer.concat([data, check(data)]), { mode: 0o600 });
    renameSync(part, path);
    prune(dirname(path));
  } catch {
    rmSync(part, { force: true });
  }
};

/** Keeps it once, a moment after the start or at the end. */
const keepSoon = (path, script) => {
  let kept = false;
  const keepOnce = () => {
    if (!kept) keep(path, script);
    kept = true;
  };
  setTimeout(keepOnce, AFTER_MS).unref();
  process.once("exit", keepOnce);
};

/** Where a compiled section is kept: the program for each command with what that has needed. */
const keptPath = (name) => {
  const directory = cacheDirectory();
  if (directory === null) return null;
  const command = /^[a-z]{1,16}$/.exec(process.argv[2] ?? "")?.[0] ?? "other";
  const what = name === "" ? command : `part.${name.replaceAll(/[^a-z0-9]+/g, ".")}`;
  return join(directory, `NAME-${what}-${cachedDataVersionTag().toString(16)}-${ownName}`);
};

/** A section as a script, compiled before where it can be; else it will be kept. */
const compile = (name) => {
  const section = sections.get(name);
  const path = keptPath(name);
  const cachedData = path === null ? undefined : read(path);
  // Stacks name the lines of this file.
  const place = { filename: file, lineOffset: section.lines };
  const script = new Script(codeOf(section), { ...place, cachedData });
  if (path !== null && (cachedData === undefined || script.cachedDataRejected)) {
    keepSoon(path, script);
  }
  return script;
};

/** What the program knows of where it is, and of what is in it: `engine` is another after every change. */
const meta = {
  url: pathToFileURL(file).href,
  resolve: (specifier) => import.meta.resolve(specifier),
  /** Opens a thread in which a part runs: what it exports under the name of `call` is given the thread's port. */
  thread: (part, call, options) => {
    const loader = encodeURIComponent(bytesOf(0, loaderBytes).latin1Slice());
    const workerData = { ofProgram: { file, part, call } };
    return new Worker(new URL(`data:text/javascript,${loader}`), { ...options, workerData });
  },
  engine: `PROGRAM_HASH-${ownName}`,
};
const ownRequire = createRequire(meta.url);
const loaded = new Map();

/** What a section exports; it is run when it is first asked for. */
const load = (name) => {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const define = compile(name).runInThisContext();
  define(module.exports, require, module, file, dirname(file), meta);
  return module.exports;
};

const require = Object.assign(
  (name) => (name !== "" && sections.has(name) ? load(name) : ownRequire(name)),
  ownRequire,
);

if (thread === null) await load("").start();
else load(thread.part)[thread.call](parentPort);
