import { resolve } from "node:path";
import type { CapabilityAccess, TenantAccess } from "@plasm/host";
import { catalogPath } from "@plasm/runtime";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError } from "../cli-error.ts";
import { appended, DATA_OPTION, defaultDataDirectory } from "./options.ts";

interface PolicyOptions {
  readonly data?: string;
  readonly policy?: string;
  readonly catalogs: readonly string[];
  readonly tenant?: string;
  readonly subject?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

type Access = CapabilityAccess["access"];

const WORDS: Readonly<Record<Access, string>> = {
  read: "may read",
  effect: "may change, after review",
  client: "needs the person at the client, or an operator",
  operator: "needs an operator",
  forbidden: "forbidden",
};
const ORDER: readonly Access[] = ["read", "effect", "client", "operator", "forbidden"];

/** Capabilities that one rule says the same of stand in one line. */
function linesOf(capabilities: readonly CapabilityAccess[]): readonly string[] {
  return ORDER.flatMap((access) => {
    const byRule = new Map<string, string[]>();
    for (const one of capabilities.filter((each) => each.access === access)) {
      byRule.set(one.rule, [...(byRule.get(one.rule) ?? []), one.capability]);
    }
    return [...byRule].map(
      ([rule, names]) => `    ${WORDS[access]}: ${names.join(", ")} (${rule})`,
    );
  });
}

function textOf({ tenant, policy, force, catalogs, principals }: TenantAccess): string {
  return [
    `Tenant ${tenant}: policy ${policy}${force ? "" : "; no force"}`,
    ...catalogs.flatMap(({ entry_id, capabilities }) => [
      `  ${entry_id}`,
      ...linesOf(capabilities),
    ]),
    ...(principals.length === 0 ? [] : ["  keys"]),
    ...principals.map(({ subject, role, key, may }) => `    ${role} ${subject} (${key}): ${may}`),
  ].join("\n");
}

async function show(cli: CliContext, options: PolicyOptions): Promise<void> {
  const [{ accessReport, HostStartError, POLICY_SETTING, readEnvironment }, { builtInPlugins }] =
    await Promise.all([import("@plasm/host"), import("../plugins.ts")]);
  const dataDir = resolve(cli.cwd, options.data ?? defaultDataDirectory(cli.env));
  const { tenant, subject, strict = false } = options;
  try {
    const { env } = await readEnvironment(cli.env, dataDir, undefined);
    const file = options.policy ?? env[POLICY_SETTING]?.trim() ?? "";
    const report = await accessReport(
      {
        dataDir,
        env,
        strict,
        catalogs: options.catalogs.map((one) => catalogPath(one, cli.cwd)),
        plugins: builtInPlugins,
        ...(file === "" ? {} : { policyFile: resolve(cli.cwd, file) }),
      },
      { tenant, subject },
    );
    cli.out(
      options.json === true ? JSON.stringify(report, null, 2) : report.map(textOf).join("\n\n"),
    );
  } catch (thrown) {
    if (!(thrown instanceof HostStartError)) throw thrown;
    throw failedError(thrown.message, thrown);
  }
}

/** `plasm policy show`: who could do what, and by which rule (OPS-56). */
export function addPolicy(program: Command, cli: CliContext): void {
  program
    .command("policy")
    .description("Try policies before a server has them.")
    .command("show")
    .description("Say who could do what with catalogs, what needs an operator, and by which rule.")
    .option("--policy <file>", "the file of policies (default: $PLASM_POLICY)")
    .option("--catalogs <path>", "a catalog, or a directory of them; repeatable", appended, [])
    .option(...DATA_OPTION)
    .option("--tenant <tenant>", "of one tenant alone")
    .option("--subject <name>", "as somebody with keys there")
    .option("--strict", "as plasm serve --strict has it")
    .option("--json", "as JSON")
    .action((options: PolicyOptions) => show(cli, options));
}
