#!/usr/bin/env node
/**
 * Stands in for curl in tests on a machine without it: the options that the printed session and
 * docs/ use, and no others. `-w` knows `%{redirect_url}` and `%header{…}` alone.
 */
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    output: { type: "string", short: "o" },
    "write-out": { type: "string", short: "w" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d" },
    request: { type: "string", short: "X" },
  },
});
const [url] = positionals;
const headers = values.header.map((line) => line.split(/:\s*(.*)/s).slice(0, 2));
const body =
  values.data === undefined ? {} : { method: values.request ?? "POST", body: values.data };
const response = await fetch(url, { headers, redirect: "manual", ...body });
if (values.output !== "/dev/null") process.stdout.write(await response.text());
const location = response.headers.get("location");
const redirect = location === null ? "" : new URL(location, url).href;
const told = (values["write-out"] ?? "").replace("%{redirect_url}", redirect);
process.stdout.write(
  told.replaceAll(/%header\{([\w-]+)\}/g, (_, name) => response.headers.get(name) ?? ""),
);
