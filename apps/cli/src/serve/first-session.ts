/** An entity to begin with, and the catalog it is from. */
export interface FirstEntity {
  readonly api: string;
  readonly entity: string;
}

/** A session to paste: opens one, prints its table, runs a program. Needs only curl and sh. */
export function firstSession(url: string, { api, entity }: FirstEntity): readonly string[] {
  const seeds = JSON.stringify({ seeds: [{ api, entity }] });
  return [
    `S=$(curl -sS -o /dev/null -w '%{redirect_url}' -H 'content-type: application/json' -d '${seeds}' ${url}/execute)`,
    `curl -sS -H 'accept: text/plain' "$S"`,
    `curl -sS -H 'accept: text/plain' -H 'content-type: text/plain' -d '${entity}.limit(5)' "$S"`,
  ];
}
