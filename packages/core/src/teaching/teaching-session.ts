import { catalogOf, type CatalogSet, type EntityKey } from "../catalog/federation.ts";
import { canRun, changesData, mayCall, shownDropped } from "../policy/may-use.ts";
import type { Features, Policy } from "../policy/policy.ts";
import { nameList } from "../diagnostics/nearest-name.ts";
import type { Capability } from "../model/model.ts";
import type { Notation } from "../symbols/exposure.ts";
import { applyWave, type WaveEntry } from "../symbols/waves.ts";
import { NO_SYMBOLS, type SymbolMap } from "../symbols/symbols.ts";
import { CONTRACT_PARTS, type ContractPart, contractText } from "./contract.ts";
import { type CutText, cutTexts } from "./cut-texts.ts";
import { RowPrinter } from "./print-row.ts";
import { type Scene, speller, type UntaughtReason } from "./notation.ts";
import { Lessons, type WaveRows } from "./teach-wave.ts";
import {
  furtherLine,
  inFullLine,
  introduced,
  joinWaveText,
  type SymbolSpan,
  waveHeading,
  type WaveMode,
  type WaveText,
} from "./wave-text.ts";

/** What a stored wave says of itself that its log entry does not. */
export type SentWave = Pick<WaveText, "parts" | "untaught">;

/** What waves are made from; nothing else has an influence on them (TEACH-30). */
export interface TeachingSetup {
  readonly catalogs: CatalogSet;
  readonly notation: Notation;
  readonly policy: Policy;
  /** teaches no effects, and refuses them (TEACH-25) */
  readonly readOnly?: boolean;
  readonly features: Features;
  /** entry id → what the first wave of a catalog says beside its table (RUN-103) */
  readonly notes?: ReadonlyMap<string, readonly string[]>;
}

/** The waves of one session, made one after the other. */
export class TeachingSession {
  #setup: TeachingSetup;
  readonly #lessons = new Lessons();
  readonly #printer = new RowPrinter();
  readonly #parts = new Set<ContractPart>();
  readonly #log: WaveEntry[] = [];
  readonly #standing = new Map<string, UntaughtReason | null>();
  /** what was said of each wave when it was made */
  readonly #sent: SentWave[] = [];
  #symbols: SymbolMap = NO_SYMBOLS;

  constructor(setup: TeachingSetup) {
    this.#setup = setup;
  }

  get symbols(): SymbolMap {
    return this.#symbols;
  }

  /** how many waves were made */
  get length(): number {
    return this.#log.length;
  }

  /**
   * Goes on under what a later call brings: catalogs may have been added. False if the waves made here are not
   * the first of `log`, or were made of other things: they are then to be made anew.
   */
  resume(setup: TeachingSetup, log: readonly WaveEntry[], sent: readonly SentWave[]): boolean {
    if (this.#log.length > log.length || !isMadeAlike(this.#setup, setup)) return false;
    const differs = this.#log.some((entry, at) => {
      const other = log[at];
      return (
        other === undefined || !isSameWave(entry, other) || !saysSame(this.#sent[at], sent[at])
      );
    });
    if (differs) return false;
    this.#setup = setup;
    return true;
  }

  /** Makes the next wave; `sent` says what of it was taught when it was made earlier. */
  expose(entry: WaveEntry, sent: SentWave | null): WaveText {
    const { scene, rows, before } = this.teach(entry, sent);
    const { features, notation, readOnly } = this.#setup;
    const parts =
      sent?.parts ??
      CONTRACT_PARTS.filter((part) => rows.called.has(part) && !this.#parts.has(part));
    for (const part of parts) this.#parts.add(part);
    const added = this.#symbols.entities.slice(before.entities.length);
    const printed = this.#printer.print(scene, rows.rows);
    const contract = parts.map((part) => contractText(part, features, notation, readOnly));
    const first = before.entities.length + 1;
    const mode = this.#mode(entry, before);
    const known = mode === "expand" ? [] : (this.#setup.notes?.get(entry.entryId) ?? []);
    const notes = [...known, ...this.#lost(entry)];
    const heading = waveHeading(scene, this.#log.length, added);
    this.#sent.push({ parts, untaught: sent?.untaught ?? rows.untaught });
    const wave: WaveText = {
      n: this.#log.length,
      mode,
      entryId: entry.entryId,
      digest: entry.digest,
      entities: entry.entities,
      e: [first, this.#symbols.entities.length],
      m: span(before.methods, this.#symbols.methods),
      p: span(before.names, this.#symbols.names),
      parts,
      text: joinWaveText(contract, heading, printed, notes, [
        ...furtherLine(rows.further),
        ...inFullLine(rows.rare),
      ]),
      untaught: rows.untaught,
      cut: this.#cut(scene, entry),
    };
    return Object.freeze(wave);
  }

  /**
   * The tables of exposed entities of one catalog with every argument, those included that waves leave out, after the
   * parts of the contract that only they call for (TEACH-46). Nothing of the session changes.
   */
  inFull(keys: readonly EntityKey[]): string {
    const scene = { ...this.#scene(null), inFull: true };
    const { features, notation, readOnly } = this.#setup;
    const { rows, called } = new Lessons().inFull(scene, keys);
    const printed = new RowPrinter().print(scene, rows);
    const parts = CONTRACT_PARTS.filter((part) => called.has(part) && !this.#parts.has(part));
    const contract = parts.map((part) => contractText(part, features, notation, readOnly));
    return joinWaveText(contract, `In full: ${introduced(scene, keys)}`, printed);
  }

  /** What the files have of these entities and the catalog has not, since it could not be loaded (17.13). */
  #lost({ entryId, entities }: WaveEntry): readonly string[] {
    const { catalogs, policy } = this.#setup;
    const lost = shownDropped(policy, catalogOf(catalogs, entryId)).flatMap((each) =>
      each.entity === undefined || each.label === undefined || !entities.includes(each.entity)
        ? []
        : [`${each.entity}.${each.label}`],
    );
    if (lost.length === 0) return [];
    return [`Not loaded, since the catalog has faults: ${nameList(lost, "")}`];
  }

  /** The rows of the next wave, unprinted. */
  teach(
    entry: WaveEntry,
    sent: SentWave | null,
  ): { readonly scene: Scene; readonly rows: WaveRows; readonly before: SymbolMap } {
    const before = this.#symbols;
    this.#symbols = applyWave(before, entry, this.#setup.catalogs);
    this.#log.push(entry);
    const scene = this.#scene(sent);
    const added = this.#symbols.entities.slice(before.entities.length);
    return { scene, rows: this.#lessons.teach(scene, added), before };
  }

  #scene(sent: SentWave | null): Scene {
    const { catalogs, notation, policy, readOnly = false, features } = this.#setup;
    const symbols = this.#symbols;
    const [first] = this.#log;
    const exposure = { catalogs, log: this.#log, symbols, notation, policy, readOnly };
    const hidden = sent && new Map(sent.untaught.map((item) => [item.capability, item.reason]));
    return {
      catalogs,
      symbols,
      spell: speller(notation, symbols, catalogs),
      features,
      rules: { exposure, features, untaught: new Set() },
      inFull: false,
      federated: this.#log.some(({ entryId }) => entryId !== first?.entryId),
      standing: ({ entryId }, capability) => {
        const id = `${entryId}\u0000${capability.name}`;
        const known = this.#standing.get(id);
        if (known !== undefined && known !== null) return known;
        const now =
          hidden === null ? this.#judge(entryId, capability) : hidden.get(capability.name);
        if (known === undefined) this.#standing.set(id, now ?? null);
        return now ?? null;
      },
    };
  }

  /** What is hidden when its entity is exposed stays so, whatever policy says later (SURF-25). */
  #judge(entryId: string, capability: Capability): UntaughtReason | null {
    const { catalogs, policy, readOnly = false, features } = this.#setup;
    const catalog = catalogOf(catalogs, entryId);
    if (!mayCall(policy, catalog, capability)) return "policy";
    if (readOnly && changesData(catalog, capability)) return "policy";
    return canRun(features, catalog, capability) ? null : "not_plannable";
  }

  /** What the table of a wave does not show in full, of what it shows at all. */
  #cut(scene: Scene, { entryId, entities }: WaveEntry): readonly CutText[] {
    const catalog = catalogOf(this.#setup.catalogs, entryId);
    return entities.flatMap((entity) =>
      cutTexts(catalog, [entity], (each) => scene.standing({ entryId, entity }, each) === null),
    );
  }

  #mode(entry: WaveEntry, before: SymbolMap): WaveMode {
    if (before.entities.length === 0) return "open";
    return before.entities.some(({ entryId }) => entryId === entry.entryId) ? "expand" : "federate";
  }
}

/** Whether what waves are made from is the same, catalogs that are in one alone aside. */
function isMadeAlike(one: TeachingSetup, other: TeachingSetup): boolean {
  if (one.notation !== other.notation || one.features !== other.features) return false;
  if ((one.readOnly ?? false) !== (other.readOnly ?? false)) return false;
  if (JSON.stringify(one.policy) !== JSON.stringify(other.policy)) return false;
  return [...one.catalogs].every(([id, { digest }]) => other.catalogs.get(id)?.digest === digest);
}

function isSameWave(one: WaveEntry, other: WaveEntry): boolean {
  if (one === other) return true;
  return (
    one.entryId === other.entryId &&
    one.digest === other.digest &&
    one.entities.join("\u0000") === other.entities.join("\u0000")
  );
}

/** Whether two say the same of a wave; without a stored one there is nothing to differ from. */
function saysSame(one: SentWave | undefined, other: SentWave | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.parts === other.parts && one.untaught === other.untaught) return true;
  if (one.parts.join() !== other.parts.join()) return false;
  const told = ({ untaught }: SentWave): string =>
    untaught.map(({ capability, reason }) => `${capability} ${reason}`).join();
  return told(one) === told(other);
}

function span(before: readonly unknown[], after: readonly unknown[]): SymbolSpan | null {
  return after.length === before.length ? null : [before.length + 1, after.length];
}

/** No notice takes more tokens than this, whatever a session holds (SESS-19, TEACH-41). */
const MAX_TOKENS = 60;

/**
 * The notice of a call that exposed nothing new: `s0 unchanged: e1 Tree, e2 Harvest. Symbols stand.`, in names
 * `s0 unchanged: Tree, Harvest. Names stand.`, and then the remarks, in at most 60 tokens: entities that do not fit
 * become `+n` (SESS-19). `entities` are wire names in `e#` order. The default count is an upper estimate.
 */
export function unchangedNotice(
  ref: string,
  entities: readonly string[],
  notation: Notation,
  remarks: readonly string[] = [],
  countTokens: (text: string) => number = mostTokens,
): string {
  // None takes less than a token: those beyond are not looked at, however many a session holds.
  const listed = entities.slice(0, MAX_TOKENS).map((entity, at) => {
    const isName = notation === "names" && entities.indexOf(entity) === at;
    return isName ? entity : `e${at + 1} ${entity}`;
  });
  const stand = notation === "names" ? "Names stand." : "Symbols stand.";
  const noticeOf = (shown: number): string => {
    const left = entities.length - shown;
    const names = [...listed.slice(0, shown), ...(left === 0 ? [] : [`+${left}`])].join(", ");
    const held = names === "" ? "" : `: ${names}`;
    return [`${ref} unchanged${held}. ${stand}`, ...remarks].join(" ");
  };
  let shown = listed.length;
  while (shown > 0 && countTokens(noticeOf(shown)) > MAX_TOKENS) shown -= 1;
  return noticeOf(shown);
}

/** At least as many tokens as a text of names and plain English has: short pieces of words and signs. */
function mostTokens(text: string): number {
  const pieces = text.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+|\p{N}+|[^\p{L}\p{N}\s]/gu) ?? [];
  return pieces.reduce((sum, piece) => sum + Math.ceil(piece.length / LETTERS_A_TOKEN), 0);
}

const LETTERS_A_TOKEN = 4;
