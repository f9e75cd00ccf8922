import type { BrokenCase } from "../broken-case.ts";

const backends = [
  "api.parcels.example",
  "ftp://x.example",
  "https://u:p@x.example",
  "https://x.example?a=1",
  "https://x.example#a",
  "https://",
  "https://x example",
  "https://x.example:99999",
];

/** Faults of CAT-020, CAT-021, CAT-022, CAT-023, CAT-024. */
export const domainCases: readonly BrokenCase[] = [
  ...backends.map((backend) => ({
    rule: "CAT-020",
    when: `http_backend ${backend}`,
    patch: { backend: `«"${backend}"»` },
    at: "http_backend",
    says: [backend, "absolute http or https URL", "user, query and fragment"],
  })),
  ...["https://your-company.example", "https://api.YOUR_TENANT.example/v1"].map((backend) => ({
    rule: "CAT-021",
    when: `http_backend ${backend}`,
    patch: { backend: `«${backend}»` },
    at: "http_backend",
    says: ["placeholder", "PLASM_BACKEND_PARCELS"],
    severity: "warning" as const,
  })),
  {
    rule: "CAT-022",
    when: "version 0",
    patch: { version: "«0»" },
    at: "version",
    says: ["version 0", "cannot be published"],
    severity: "warning",
  },
  {
    rule: "CAT-023",
    when: "a blank alias",
    patch: { top: 'registry_aliases: [post, «" "»]' },
    at: "registry_aliases[1]",
    says: ["blank"],
  },
  {
    rule: "CAT-023",
    when: "an alias twice, ignoring case",
    patch: { top: "registry_aliases: [Post, «post»]" },
    at: "registry_aliases[1]",
    says: ["post", "3:20", "once"],
  },
  {
    rule: "CAT-023",
    when: "the entry id as alias",
    patch: { top: "registry_aliases: [«Parcels»]" },
    at: "registry_aliases[0]",
    says: ["Parcels", "entry id"],
  },
  {
    rule: "CAT-024",
    when: "an origin with a path",
    patch: { top: "allow_origins: [«https://files.example/a»]" },
    at: "allow_origins[0]",
    says: ["https://files.example/a", "bare origin"],
  },
  {
    rule: "CAT-024",
    when: "an http origin beside an https backend",
    patch: { top: "allow_origins: [{origin: «http://files.example», send_auth: true}]" },
    at: "allow_origins[0].origin",
    says: ["http://files.example", "https"],
  },
];
