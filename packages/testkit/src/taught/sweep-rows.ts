import { RowFiller } from "./fill-row.ts";
import { readTaught } from "./read-taught.ts";

/** What a row claims of itself, in the order of the table: its catalog's own words, not the table's. */
export interface RowClaim {
  readonly wave: number;
  readonly printed: string;
  readonly entity: { readonly entryId: string; readonly entity: string };
  readonly capability: string | null;
  readonly relation: string | null;
  readonly kind: string;
  readonly result:
    | {
        readonly kind: "rows";
        readonly card: "one" | "many";
        readonly entity: { readonly entryId: string; readonly entity: string };
      }
    | { readonly kind: "nothing" | "open" };
}

/** What a plan says of itself, as far as a row claims something of it. */
export interface SweptPlan {
  readonly nodes: readonly {
    readonly id: string;
    readonly catalog?: { readonly entry_id: string };
    readonly capability?: string | null;
    readonly relation?: string;
    readonly result: {
      readonly card: string;
      readonly entity: string | null;
      readonly columns: unknown;
    };
  }[];
  readonly returns: readonly { readonly node: string }[];
}

/** What a program came to. */
export type SweptProgram =
  | { readonly kind: "plan"; readonly plan: SweptPlan }
  | {
      readonly kind: "errors";
      readonly errors: readonly { readonly code: string; readonly message: string }[];
    }
  | { readonly kind: string };

/** A session to be swept: its text, the claims of its rows, and the compiler an agent's programs go to. */
export interface SweptSession {
  readonly text: string;
  readonly claims: readonly RowClaim[];
  readonly compile: (program: string) => SweptProgram;
}

/** What a sweep found. */
export interface Sweep {
  readonly rows: number;
  readonly programs: number;
  /** `program: what is wrong with it` */
  readonly faults: readonly string[];
  /** programs with options that another list of the entity answers, or fits as well (RUN-110) */
  readonly elsewhere: readonly string[];
}

/**
 * Fills each row of a session from the printed text alone, as shown, with each option and with all, and
 * compiles it: it must plan, to the very capability of the row, with the result it states (TEACH-19).
 */
export function sweepRows({ text, claims, compile }: SweptSession): Sweep {
  const taught = readTaught(text);
  const filler = new RowFiller(taught);
  const faults: string[] = [];
  const elsewhere: string[] = [];
  let programs = 0;
  if (taught.rows.length !== claims.length) {
    faults.push(`the text has ${taught.rows.length} rows of code, the session ${claims.length}`);
  }
  for (const [at, row] of taught.rows.entries()) {
    const claim = claims[at];
    if (claim === undefined || claim.printed !== row.left) {
      faults.push(`${row.left}: the session has ${claim?.printed} in its place`);
      continue;
    }
    try {
      for (const { program, options } of filler.programs(row)) {
        programs += 1;
        const fault = faultOf(compile(program), claim);
        if (fault === null) continue;
        if (fault === OTHER_LIST && options.length > 0) elsewhere.push(program);
        else faults.push(`${program}  <-  ${row.left}: ${fault}`);
      }
    } catch (thrown) {
      faults.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  return { rows: taught.rows.length, programs, faults, elsewhere };
}

const OTHER_LIST = "by another list";

function faultOf(compiled: SweptProgram, claim: RowClaim): string | null {
  if ("errors" in compiled) {
    if (LISTS.has(claim.kind) && compiled.errors.every(({ code }) => code === TIE)) {
      return OTHER_LIST;
    }
    return compiled.errors.map(({ code, message }) => `${code} ${message}`).join("; ");
  }
  if (!("plan" in compiled)) return "no plan";
  const { plan } = compiled;
  const returned = plan.nodes.find(({ id }) => id === plan.returns[0]?.node) ?? plan.nodes.at(-1);
  const { result } = returned ?? {};
  if (result === undefined) return "no node";
  const wrong = resultFault(result, claim);
  if (wrong !== null) return wrong;
  const used = plan.nodes.some(
    (node) =>
      node.capability === claim.capability &&
      (node.relation === undefined || node.relation === claim.relation) &&
      (node.relation !== undefined || node.catalog?.entry_id === claim.entity.entryId),
  );
  if (used) return null;
  return LISTS.has(claim.kind) ? OTHER_LIST : `not by ${claim.capability}`;
}

const TIE = "capability_ambiguous";
const LISTS = new Set(["head", "query", "search"]);

function resultFault(
  { card, entity, columns }: SweptPlan["nodes"][number]["result"],
  { result }: RowClaim,
): string | null {
  const found = JSON.stringify({ card, entity, columns });
  switch (result.kind) {
    case "rows":
      return entity === result.entity.entity && (card === "many" ? "many" : "one") === result.card
        ? null
        : `gives ${found}`;
    case "open":
      return entity === null ? null : `gives ${found}`;
    case "nothing":
      return JSON.stringify(columns) === '[["ok","bool"]]' ? null : `gives ${found}`;
  }
}
