import { type DocumentObject, memberOf, sortedEntries } from "../json.ts";
import { folded } from "../names/words.ts";
import { METHODS, type Parameter } from "./operation.ts";
import { parametersByPlace } from "./request-parts.ts";

/** A credential that a document says as a parameter of its calls, and not as a security scheme. */
export interface SaidKey {
  readonly in: "header" | "query";
  readonly name: string;
  /** whether calls need it that have it */
  readonly required: boolean;
}

const PLACES = ["header", "query"] as const;

/** Names that mean a credential: `X-API-Key`, `app_token`, `Ocp-Apim-Subscription-Key`. */
const SURE = {
  header: /(?:api|app|access|auth|subscription|client)(?:key|token|secret)$/,
  query: /(?:api|app|subscription)(?:key|token|secret)$/,
};
/** Names that mean one where nearly all calls have it. */
const LIKELY =
  /^(?:key|token|secret|(?:access|auth|oauth|client)(?:key|token|secret)|authorization)$/;
/** Names that mean one where nearly all calls need it and the document has no security scheme: `X-Server-Token`, `wskey`. */
const NEEDED = /(?:token|key|secret|password|authorization)$/;
/** Keys and tokens that say nothing of who calls. */
const NOBODYS =
  /(?:idempotency|csrf|xsrf|page|paging|next|continuation|cursor|sort|row|partition|primary|cache|request)(?:key|token)$/;
/** What goes along with a secret, and says whose it is. */
const BESIDE = /(?:api|app|client|application)id$/;

/** The part of all calls that has a parameter which is a credential. */
const SHARE = { sure: 0.3, likely: 0.8 };
/** In a document of fewer calls a name alone says too little. */
const LEAST_CALLS = 2;

const keyOf = (place: string, name: string): string =>
  `${place} ${place === "header" ? name.toLowerCase() : name}`;

/** Whether a value can be a credential: some text. */
const isText = ({ schema }: Parameter): boolean => {
  const type = memberOf(schema, "type");
  return (type === undefined || type === "string") && memberOf(schema, "enum") === undefined;
};

/** A parameter, and how many calls have it and need it. */
interface Counted extends Omit<SaidKey, "required"> {
  readonly calls: number;
  readonly needed: number;
}

/** How many calls a document has, and in how many each parameter of a header or the query stands. */
function countParameters(root: DocumentObject) {
  const found = new Map<string, Counted>();
  let calls = 0;
  for (const [, item] of sortedEntries(memberOf(root, "paths"))) {
    for (const method of METHODS) {
      const operation = memberOf(item, method.toLowerCase());
      if (operation === undefined) continue;
      calls += 1;
      const parameters = parametersByPlace(item, operation);
      for (const place of PLACES) {
        for (const one of (parameters.get(place) ?? []).filter(isText)) {
          const { name, required } = one;
          const before = found.get(keyOf(place, name)) ?? { calls: 0, needed: 0 };
          found.set(keyOf(place, name), {
            in: place,
            name,
            calls: before.calls + 1,
            needed: before.needed + (required ? 1 : 0),
          });
        }
      }
    }
  }
  return { calls, found: [...found.values()] };
}

/**
 * Finds the credentials that a document says as parameters of headers or the query: texts called like keys that most
 * calls have. What a program must never say is nothing that an agent is taught (docs/adr/0273).
 */
export function saidKeys(root: DocumentObject): readonly SaidKey[] {
  const { calls, found } = countParameters(root);
  const schemes = memberOf(memberOf(root, "components"), "securitySchemes");
  const hasSchemes = sortedEntries(schemes).length > 0;
  const isSaid = (one: Counted): boolean => {
    const name = folded(one.name);
    const isSure = SURE[one.in].test(name);
    const isNeeded =
      !hasSchemes && one.needed >= SHARE.likely * calls && NEEDED.test(name) && !NOBODYS.test(name);
    if (!isSure && !isNeeded && !LIKELY.test(name)) return false;
    const share = isSure ? SHARE.sure : SHARE.likely;
    return one.calls >= Math.min(LEAST_CALLS, calls) && one.calls >= share * calls;
  };
  const secrets = found.filter(isSaid);
  const beside = found.filter(
    (one) =>
      secrets.some(({ calls: own }) => one.calls >= own * SHARE.likely) &&
      one.in === "header" &&
      BESIDE.test(folded(one.name)),
  );
  return [...secrets, ...beside].map(({ calls: own, needed, ...one }) => ({
    ...one,
    required: needed * 2 > own,
  }));
}

/** Parameters by their place without those that are credentials. */
export function withoutKeys(
  places: ReadonlyMap<string, readonly Parameter[]>,
  keys: readonly SaidKey[],
): ReadonlyMap<string, readonly Parameter[]> {
  if (keys.length === 0) return places;
  const said = new Set(keys.map((one) => keyOf(one.in, one.name)));
  return new Map(
    [...places].map(([place, all]) => [
      place,
      all.filter(({ name }) => !said.has(keyOf(place, name))),
    ]),
  );
}
