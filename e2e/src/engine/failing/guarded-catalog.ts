import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFixtureCatalog } from "@plasm/testkit";

function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`the quay catalog has no ${part}`);
  return text.replace(part, by);
}

const AUTH = `auth: { scheme: oauth_bearer, env: WHARF_TOKEN }
oauth:
  provider: wharf
  scopes: { boats.read: { label: Read boats } }
  requirements: { capabilities: { boat_query: { all_of: [boats.read] } }, relations: {} }`;

const PING = "output: { type: side_effect, description: the boat is called by radio }";

/**
 * Writes the quay catalog once more, as `wharf`: it asks for a token with a scope, its pages name the next one, and
 * a lost boat cannot be called.
 */
export function writeWharf(dir: string): string {
  const { domain, mappings } = readFixtureCatalog("quay");
  const place = join(dir, "wharf");
  mkdirSync(place, { recursive: true });
  const needed = `${PING}\n    preconditions: [{ field: state, not_in: [lost], description: it has no radio left }]`;
  const guarded = replaced(domain, "auth: { scheme: none }", AUTH);
  writeFileSync(join(place, "domain.yaml"), replaced(guarded, PING, needed));
  const counted = "params: { page: { counter: 1 }, per_page: { fixed: 20 } }";
  const linked =
    "location: response_next_url\n  response_next_url_field: next\n  params: { per_page: { fixed: 20 } }";
  writeFileSync(join(place, "mappings.yaml"), replaced(mappings, counted, linked));
  return place;
}
