import { parseHttpUrl } from "../http-url.ts";
import type { Rule } from "../rule.ts";

/** CAT-024: further origins are bare, and https unless the backend itself is http. */
export const allowOriginsRule: Rule = ({ domain, inDomain }) => {
  if (inDomain.faulty(["allow_origins"])) return;
  const plainBackend = parseHttpUrl(domain.http_backend)?.scheme === "http";
  domain.allow_origins.forEach(({ origin }, at) => {
    const item = ["allow_origins", at];
    const path = inDomain.has([...item, "origin"]) ? [...item, "origin"] : item;
    const url = parseHttpUrl(origin);
    if (url === null || url.path !== "") {
      inDomain.atValue(path, "CAT024", "form", { found: origin });
    } else if (url.scheme === "http" && !plainBackend) {
      inDomain.atValue(path, "CAT024", "insecure", { found: origin });
    }
  });
};
