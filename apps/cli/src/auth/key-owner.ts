import type { OpenedKeys } from "@plasm/host";
import { usageError } from "../cli-error.ts";

type KeyOwner = Parameters<OpenedKeys["keys"]["add"]>[0];

/** What is told of a key that was made. */
export type KeptKey = Awaited<ReturnType<OpenedKeys["keys"]["list"]>>[number];

/** What a key is for, as the command line says it. */
export const KEY_ROLES = ["operator", "agent", "admin"] as const;

export interface KeyOwnerOptions {
  readonly subject: string;
  readonly tenant?: string;
  readonly role: KeyOwner["role"];
  readonly actAs: readonly string[];
  readonly service: boolean;
}

/** A name that can stand in answers, logs and lists. */
const NAME = /^[\w.@:+-]{1,100}$/;

/** A tenant of an issuer's tokens, as `GET /v1/whoami` tells it. */
const OF_ISSUER = /^[^|\p{Cc}]{1,200}\|(?:tenant|subject)\|[^|\p{Cc}]{1,255}$/u;

function checkName(option: string, name: string): void {
  if (NAME.test(name)) return;
  throw usageError(
    `${option} is a name of up to 100 letters, digits and . _ - @ : +, found ${JSON.stringify(name)}.`,
  );
}

/** Who calls without any proof, and the tenant of such callers: names that no key is given. */
interface Unnamed {
  readonly tenant: string;
  readonly subject: string | null;
}

/** The tenant of a key: that of callers who prove nothing is an operator's or administrator's without a name. */
function tenantOf({ tenant, subject, role }: KeyOwnerOptions, unnamed: Unnamed): string {
  if (tenant !== undefined) {
    const name = tenant.toLowerCase();
    if (name === unnamed.tenant || name.startsWith(`${unnamed.tenant}|`)) {
      throw usageError(
        `No tenant can be named ${tenant}. Leave --tenant out for a server without any.`,
      );
    }
    if (!OF_ISSUER.test(tenant)) checkName("--tenant", tenant);
    return tenant;
  }
  if (role === "agent") {
    throw usageError("An agent's key is of a tenant: give --tenant, the name of it.");
  }
  if (subject === unnamed.subject) {
    throw usageError(
      `${subject} is the name of every caller that proves nothing: nobody approves plans of their own. Choose another --subject.`,
    );
  }
  return unnamed.tenant;
}

/** To whom a key is to be given. Throws CliError for what cannot be a name, or does not go together. */
export function keyOwner(options: KeyOwnerOptions, unnamed: Unnamed): KeyOwner {
  const { subject, role, actAs, service } = options;
  checkName("--subject", subject);
  for (const user of actAs) checkName("--act-as", user);
  if (role !== "agent" && (service || actAs.length > 0)) {
    throw usageError("--service and --act-as go with --role agent.");
  }
  return {
    tenant: tenantOf(options, unnamed),
    subject,
    role,
    ...(actAs.length === 0 ? {} : { actAs: [...new Set(actAs)] }),
    ...(service ? { service } : {}),
  };
}
