import { patchedCatalog } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const { domain, mappings } = patchedCatalog({});
const MiB = 1024 * 1024;
const list = (items: string): string => `[${`${items},`.repeat(99)}${items}]`;

const broken = (rule: string, when: string, text: string, says: readonly string[]): BrokenCase => ({
  rule,
  when,
  patch: { domain: text, mappings },
  at: "",
  says,
});

/** Faults of CAT-003 and CAT-010 to CAT-016: what is no catalog file. */
export const filesCases: readonly BrokenCase[] = [
  broken("CAT-003", "an empty file", "# nothing\n", ["an empty file", "a map"]),
  broken("CAT-003", "a list", "«- a\n»", ["a list of 1", "a map"]),
  {
    rule: "CAT-001",
    when: "capabilities under another key: what leads to them is not told",
    patch: { domain: domain.replace(/^capabilities(?=:)/m, "«capabilites»"), mappings },
    at: "capabilites",
    says: ["nearest: capabilities"],
    severity: "warning",
    beside: ["CAT003"],
  },
  {
    rule: "CAT-003",
    when: "entities as a list: what refers to them is not told",
    patch: {
      domain: domain.replace(/^entities:/m, "entities:\n  «- Parcel»\nx-entities:"),
      mappings,
    },
    at: "entities",
    says: ["a list of 1", "a map of names, each a map"],
  },
  {
    rule: "CAT-010",
    when: "a domain file without mappings",
    patch: { domain },
    at: "",
    says: ["without mappings", "domain.yaml and mappings.yaml", "top-level map `mappings`"],
  },
  {
    rule: "CAT-010",
    when: "mappings in both files",
    patch: { domain: `${domain}«mappings»: {}\n`, mappings },
    at: "mappings",
    says: ["beside a mappings file", "domain.yaml and mappings.yaml"],
  },
  broken("CAT-011", "a byte more than 50 MiB", `#${" ".repeat(50 * MiB)}`, [
    "52428801 bytes",
    "at most 52428800",
  ]),
  broken("CAT-012", "a custom tag", "a: «!vault» x\n", ["!vault", "without tags"]),
  broken("CAT-012", "a merge key", "a: &a {}\nb: {«<<»: *a}\n", [
    "merge key <<",
    "repeat the keys",
  ]),
  broken("CAT-012", "two documents", "a: 1\n«---\nb: 2»\n", ["multiple documents", "keep one"]),
  broken("CAT-012", "a tab", "a:\n«\t»- b\n", ["Tabs", "indent with blanks"]),
  broken("CAT-012", "a colon in plain text", "a: «b»: c\n", [
    "Nested mappings",
    "indentation",
    "in quotes",
  ]),
  broken("CAT-012", "an unclosed list", "a: [1\n«»", ["]", "missing before this place"]),
  broken("CAT-012", "another boolean", "a: «True»\n", ["True", "write true"]),
  broken("CAT-012", "an undefined alias", "a: «*b»\n", ["*b", "anchor"]),
  broken("CAT-012", "an alias inside its anchor", "a: &a [«*a»]\n", ["*a inside its own anchor"]),
  broken("CAT-012", "half a pair", 'a: «"\\ud83d"»\n', ["surrogate", "the character itself"]),
  broken("CAT-012", "half a pair in a key", '«"\\ude00"»: 1\n', ["surrogate"]),
  broken("CAT-012", "infinity", "a: «.inf»\n", [".inf", "decimal number"]),
  broken("CAT-012", "a map as key", "? «{a: 1}»\n: b\n", ["map key", "name"]),
  broken("CAT-013", "depth 101", `a: ${"[".repeat(99)}«[]»${"]".repeat(99)}\n`, ["depth 100"]),
  broken("CAT-013", "depth far beyond", `${"[".repeat(100)}«[»${"[".repeat(49_899)}\n`, [
    "depth 100",
    "nest less",
  ]),
  broken(
    "CAT-013",
    "aliases that multiply",
    `a: &a ${list("1")}\nb: &b ${list("*a")}\nc: &c «${list("*b")}»\n`,
    ["1000000 nodes", "aliases"],
  ),
  {
    rule: "CAT-016",
    when: "an entry id with a capital",
    patch: { entryId: "Parcels", domain, mappings },
    at: "",
    says: ['"Parcels"', "a-z 0-9 _ . -", "name of the directory"],
  },
];
