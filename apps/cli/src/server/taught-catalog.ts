import { hasTextMembers, isJsonObject } from "../workspace/json-file.ts";
import { jsonAnswer, openedSession, type ServerClient, sessionRoute } from "./server-client.ts";

/** A capability, or a relation as `Entity.relation`, that is not taught, and why (TEACH-24). */
export interface UntaughtPart {
  readonly capability: string;
  readonly reason: string;
}

/** A description that the table shows in part (TEACH-13). */
export interface CutPart {
  readonly kind: string;
  readonly of: string;
  readonly length: number;
  readonly limit: number;
}

/** A description that tables show in part, as a line of a list. */
export const cutLine = ({ kind, of, length, limit }: CutPart): string =>
  `  ${kind} ${of}: ${length} characters, at most ${limit} are shown`;

/** A catalog as its server lists it (RUN-183). */
export interface ListedCatalog {
  readonly entry_id: string;
  readonly digest: string;
  readonly version: number;
  readonly entities: readonly string[];
  /** what could not be loaded of its files */
  readonly not_loaded: readonly NotLoadedPart[];
}

/** A part of a catalog's files that has faults, or needs such a part. */
export interface NotLoadedPart {
  readonly part: string;
  readonly why: string;
}

/** What an agent is taught of a catalog when it asks for these entities. */
export interface TaughtCatalog {
  readonly entry_id: string;
  readonly digest: string;
  readonly version: number;
  readonly entities: readonly string[];
  /** the contract's parts that are due, and the table */
  readonly text: string;
  readonly parts: readonly string[];
  /** o200k tokens of the text */
  readonly tokens: number;
  readonly untaught: readonly UntaughtPart[];
  readonly cut: readonly CutPart[];
  readonly not_loaded: readonly NotLoadedPart[];
}

interface Entry {
  readonly entry_id: string;
  readonly digest: string;
  readonly version: number;
  readonly entities: readonly { readonly entity: string }[];
  readonly not_loaded?: readonly NotLoadedPart[];
}

const isEntry = (value: unknown): value is Entry =>
  hasTextMembers(value, ["entry_id", "digest"]) &&
  typeof (value as Partial<Entry>).version === "number" &&
  Array.isArray((value as Partial<Entry>).entities) &&
  (value as Entry).entities.every((one) => hasTextMembers(one, ["entity"]));

/** A catalog that the server offers. Throws CliError if it offers none of that id. */
export async function listedCatalog(client: ServerClient, id: string): Promise<ListedCatalog> {
  const path = `/v1/registry/${encodeURIComponent(id)}`;
  const entry = jsonAnswer(client, await client.get(path, "application/json"), isEntry);
  const { entry_id, digest, version, not_loaded = [] } = entry;
  const entities = entry.entities.map(({ entity }) => entity);
  return { entry_id, digest, version, entities, not_loaded };
}

interface Wave {
  readonly tokens: number;
  readonly parts: readonly string[];
  readonly untaught: readonly UntaughtPart[];
  readonly cut?: readonly CutPart[];
}

const isWave = (value: unknown): value is Wave =>
  isJsonObject(value) &&
  typeof value["tokens"] === "number" &&
  Array.isArray(value["parts"]) &&
  Array.isArray(value["untaught"]) &&
  value["untaught"].every((part) => hasTextMembers(part, ["capability", "reason"])) &&
  (value["cut"] === undefined ||
    (Array.isArray(value["cut"]) &&
      value["cut"].every((part) => hasTextMembers(part, ["kind", "of"]))));

interface Taught {
  readonly _meta: { readonly plasm: { readonly waves: readonly Wave[] } };
}

const member = (value: unknown, name: string): unknown =>
  isJsonObject(value) ? value[name] : undefined;

const isTaught = (value: unknown): value is Taught => {
  const waves = member(member(member(value, "_meta"), "plasm"), "waves");
  return Array.isArray(waves) && waves.every(isWave);
};

/** What a session of these entities of a catalog teaches; it is the same one each time. */
export async function taughtCatalog(
  client: ServerClient,
  listed: ListedCatalog,
  entities: readonly string[],
  notation: "names" | "symbols",
): Promise<TaughtCatalog> {
  const { entry_id: api, digest } = listed;
  const intent = `catalog show ${api} ${entities.join(" ")} in ${notation} of ${digest}`;
  const body = { intent, entry_id: api, entities, notation };
  const opened = await client.post("/execute", body, "application/json");
  const path = sessionRoute(openedSession(client, opened));
  // One that was shown before is taught already: all of it is asked for again.
  const again = { seeds: entities.map((entity) => ({ api, entity })), replay: true };
  const answer = await client.post(`${path}/context`, again, "application/json");
  const { waves } = jsonAnswer(client, answer, isTaught)._meta.plasm;
  const { text } = await client.get(path, "text/plain");
  return {
    ...listed,
    entities,
    text,
    parts: waves.flatMap((wave) => wave.parts),
    tokens: waves.reduce((sum, wave) => sum + wave.tokens, 0),
    untaught: waves.flatMap((wave) => wave.untaught),
    cut: waves.flatMap((wave) => wave.cut ?? []),
  };
}
