/** Blocks of some kinds on one page, and the test that runs or reads all of them; `http *` is any that begins so. */
export interface Claim {
  readonly page: string;
  readonly kinds: readonly string[];
  readonly by: string;
}

const WALKS = "apps/cli/src/commands/documented-walks.test.ts";
const COMMANDS = "apps/cli/src/commands/documented-commands.test.ts";
const AUTHORING = "e2e/src/scenarios/authoring-guide.test.ts";
const EXAMPLES = "e2e/src/docs/examples.test.ts";
const TOUR = "e2e/src/tour/tour.test.ts";
const TRANSCRIPTS = "e2e/src/transcripts/transcripts.test.ts";

/** `text` is nobody's: an answer that stands beside its command, or what no test can run. */
export const FREE = "text";

export const CLAIMS: readonly Claim[] = [
  { page: "README.md", kinds: ["sh", "plasm"], by: EXAMPLES },
  { page: "CONTRIBUTING.md", kinds: ["sh"], by: EXAMPLES },
  { page: "catalogs/README.md", kinds: ["ts"], by: EXAMPLES },
  {
    page: "docs/authoring.md",
    kinds: ["yaml tools/domain.yaml", "yaml tools/mappings.yaml", "plasm", "ts"],
    by: AUTHORING,
  },
  { page: "docs/authoring.md", kinds: ["console"], by: WALKS },
  {
    page: "docs/authoring.md",
    kinds: ["yaml", "json"],
    by: "apps/cli/src/commands/catalog.test.ts",
  },
  { page: "docs/cli.md", kinds: ["sh"], by: "apps/cli/src/commands/help.test.ts" },
  { page: "docs/cli.md", kinds: ["console"], by: WALKS },
  { page: "docs/connect.md", kinds: ["console", "yaml overlay.yaml"], by: WALKS },
  {
    page: "docs/connect.md",
    kinds: ["yaml searches.yaml"],
    by: "apps/cli/src/sources/overlay.test.ts",
  },
  {
    page: "docs/connect.md",
    kinds: ["yaml calls.yaml"],
    by: "packages/importers/src/catalog/calls-by-name.test.ts",
  },
  { page: "docs/credentials.md", kinds: ["sh"], by: COMMANDS },
  { page: "docs/credentials.md", kinds: ["json"], by: WALKS },
  {
    page: "docs/deploying.md",
    kinds: ["console", "ini", "yaml"],
    by: "scripts/release/deploying-guide.test.mjs",
  },
  { page: "docs/embedding.md", kinds: ["ts"], by: "e2e/src/strangers/strangers.real.test.ts" },
  { page: "docs/grafts.md", kinds: ["json"], by: EXAMPLES },
  { page: "docs/http.md", kinds: ["http *"], by: "e2e/src/http-guide/http-guide.test.ts" },
  { page: "docs/identity.md", kinds: ["console"], by: WALKS },
  {
    page: "docs/guides/approvals.md",
    kinds: ["http *"],
    by: "e2e/src/http-guide/goal-guides.test.ts",
  },
  { page: "docs/guides/identity-provider.md", kinds: ["console", "ini plasm.env"], by: WALKS },
  { page: "docs/guides/limits.md", kinds: ["console", "json policy.json"], by: WALKS },
  { page: "docs/guides/read-only.md", kinds: ["console", "json policy.json"], by: WALKS },
  { page: "docs/guides/recordings.md", kinds: ["console"], by: WALKS },
  { page: "docs/guides/report.md", kinds: ["console", "plasm lost.plasm"], by: WALKS },
  { page: "docs/guides/review.md", kinds: ["console", "json policy.json"], by: WALKS },
  { page: "docs/guides/slack.md", kinds: ["console", "json policy.json"], by: WALKS },
  {
    page: "docs/language.md",
    kinds: ["plasm", "plasm error"],
    by: "e2e/src/scenarios/language-guide.test.ts",
  },
  {
    page: "docs/migrating.md",
    kinds: ["console", "yaml harbour/domain.yaml", "yaml harbour/mappings.yaml"],
    by: WALKS,
  },
  { page: "docs/operating.md", kinds: ["console"], by: WALKS },
  { page: "docs/operating.md", kinds: ["json", "sql", "sh postgres"], by: EXAMPLES },
  { page: "docs/operating.md", kinds: ["sh"], by: "e2e/src/scenarios/operating-guide.test.ts" },
  {
    page: "docs/quickstart-agent.md",
    kinds: ["json mcp"],
    by: "apps/cli/src/commands/documented-hosts.test.ts",
  },
  {
    page: "docs/quickstart-author.md",
    kinds: ["console", "yaml harbour/domain.yaml", "yaml harbour/mappings.yaml"],
    by: WALKS,
  },
  { page: "docs/quickstart-operate.md", kinds: ["console", "json policy.json"], by: WALKS },
  {
    page: "docs/evaluating.md",
    kinds: ["sh", "yaml tasks.yaml"],
    by: "apps/cli/src/commands/eval.test.ts",
  },
  {
    page: "docs/programs.md",
    kinds: ["json *"],
    by: "e2e/src/scenarios/programs-guide.test.ts",
  },
  {
    page: "docs/watch.md",
    kinds: ["plasm", "json rows", "json events"],
    by: "packages/agent-core/src/program/schedules/watch.test.ts",
  },
  {
    page: "docs/catalog-format.md",
    kinds: ["yaml webhooks"],
    by: "e2e/src/docs/catalog-format.test.ts",
  },
  { page: "docs/recordings.md", kinds: ["sh"], by: COMMANDS },
  { page: "docs/recordings.md", kinds: ["ts"], by: EXAMPLES },
  { page: "docs/tour.md", kinds: ["json", "plasm"], by: TOUR },
  { page: "docs/transcripts/inspector.md", kinds: ["sh"], by: TRANSCRIPTS },
  { page: "docs/transcripts/sdk-v1.md", kinds: ["ts"], by: TRANSCRIPTS },
  { page: "docs/transcripts/sdk-v2-2025.md", kinds: ["ts"], by: TRANSCRIPTS },
  { page: "docs/transcripts/sdk-v2-2026.md", kinds: ["ts"], by: TRANSCRIPTS },
  {
    page: "packages/agent-core/README.md",
    kinds: ["ts"],
    by: "e2e/src/strangers/strangers.real.test.ts",
  },
  {
    page: "docs/undo.md",
    kinds: ["yaml rooms/domain.yaml", "yaml rooms/mappings.yaml", "plasm"],
    by: "e2e/src/docs/undo-page.test.ts",
  },
  {
    page: "docs/values.md",
    kinds: ["yaml shelves/mappings.yaml", "plasm", "text answer", "text plan"],
    by: "e2e/src/docs/values-page.test.ts",
  },
];
