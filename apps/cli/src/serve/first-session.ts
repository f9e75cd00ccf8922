/** An entity to begin with, and the catalog it is from. */
export interface FirstEntity {
  readonly api: string;
  readonly entity: string;
}

/**
 * A session to paste: opens one, prints its table, runs a program. Needs only curl and sh; the key of who calls
 * stands in PLASM_API_KEY where one is needed.
 */
export function firstSession(
  url: string,
  { api, entity }: FirstEntity,
  keyed: boolean,
): readonly string[] {
  const curl = keyed ? 'curl -sS -H "x-api-key: $PLASM_API_KEY"' : "curl -sS";
  const seeds = JSON.stringify({ seeds: [{ api, entity }] });
  return [
    `S=$(${curl} -o /dev/null -w '%{redirect_url}' -H 'content-type: application/json' -d '${seeds}' ${url}/execute)`,
    `${curl} -H 'accept: text/plain' "$S"`,
    `${curl} -H 'accept: text/plain' -H 'content-type: text/plain' -d '${entity}.limit(5)' "$S"`,
  ];
}
