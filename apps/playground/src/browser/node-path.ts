/** Paths as `node:path` has them: a page has no files, and says so of any path that a program names (docs/adr/0211). */
export { basename, dirname, join, resolve, sep } from "pathe";
