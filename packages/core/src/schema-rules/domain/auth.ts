import type { AuthDoc } from "../../load/format/auth-shape.ts";
import type { PartView } from "../part-view.ts";
import type { Rule } from "../rule.ts";

const HOSTED = "plasm:outbound:";

/** CAT-110: every secret has its source; CAT-111: hosted keys have their prefix; CAT-112. */
export const authRule: Rule = ({ domain, inDomain }) => {
  if (inDomain.faulty(["auth"])) return;
  const { auth } = domain;
  checkSources(auth, inDomain);
  checkVariables(auth, inDomain);
  for (const [key, hosted] of Object.entries(auth)) {
    if (!key.endsWith("hosted_kv") || typeof hosted !== "string" || hosted.startsWith(HOSTED)) {
      continue;
    }
    inDomain.atValue(["auth", key], "CAT111", "prefix", { found: hosted });
  }
  if (auth.scheme === "none" && domain.oauth !== undefined) {
    inDomain.atKey(["oauth"], "CAT112", "none", {});
  }
};

function checkSources(auth: AuthDoc, inDomain: PartView): void {
  switch (auth.scheme) {
    case "none":
      return;
    case "oauth2_client_credentials":
      exactlyOne(auth, "client id", ["client_id_env", "client_id_hosted_kv"], inDomain);
      exactlyOne(auth, "client secret", ["client_secret_env", "client_secret_hosted_kv"], inDomain);
      return;
    default:
      if (auth.env === undefined && auth.hosted_kv === undefined) {
        inDomain.atValue(["auth", "scheme"], "CAT110", "none", { scheme: auth.scheme });
      }
  }
}

const VARIABLE = /^[A-Za-z_]\w*$/;

/** What is no variable's name may be a secret that was pasted there: it is not said again. */
function checkVariables(auth: AuthDoc, inDomain: PartView): void {
  for (const [key, name] of Object.entries(auth)) {
    if (!/(?:^|_)env$/.test(key) || typeof name !== "string" || VARIABLE.test(name)) continue;
    inDomain.atKey(["auth", key], "CAT110", "name", { key });
  }
}

function exactlyOne(
  auth: Readonly<Record<string, unknown>>,
  part: string,
  keys: readonly string[],
  inDomain: PartView,
): void {
  const given = keys.filter((key) => auth[key] !== undefined);
  if (given.length === 1) return;
  const path = ["auth", given[1] ?? "scheme"];
  const found = given.length === 0 ? "no source" : given.join(" and ");
  inDomain.atKey(path, "CAT110", "one", { part, found, allowed: keys.join(", ") });
}
