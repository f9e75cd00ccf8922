import { backendSetting } from "../../schema/backend-setting.ts";
import { parseHttpUrl } from "../http-url.ts";
import type { Rule } from "../rule.ts";

/** CAT-020: the backend is an absolute URL without user, query, fragment; CAT-021: not a placeholder. */
export const backendRule: Rule = ({ domain, entryId, inDomain }) => {
  const path = ["http_backend"];
  if (inDomain.faulty(path)) return;
  const url = parseHttpUrl(domain.http_backend);
  if (url === null) {
    inDomain.atValue(path, "CAT020", "form", { found: inDomain.found(path) });
    return;
  }
  if (url.host.split(".").some((label) => /^your[-_]/i.test(label))) {
    inDomain.atValue(path, "CAT021", "placeholder", {
      found: url.host,
      setting: backendSetting(entryId),
    });
  }
};
