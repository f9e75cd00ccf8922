import type { SignInWorld, Surface } from "./sign-in-world.ts";
import {
  type Account,
  boatOf,
  foreignRows,
  hasLostSignIn,
  isRightAnswer,
  wrongTokens,
} from "./witness.ts";

const PRINCIPALS = ["ann", "bob"] as const;
const LABELS = ["home", "work"] as const;
const SURFACES: readonly Surface[] = ["mcp", "http", "embedded"];

/** Two principals, each with two accounts of the same labels. */
export const ACCOUNTS: readonly Account[] = PRINCIPALS.flatMap((principal) =>
  LABELS.map((label) => ({ principal, label, person: `${principal}-${label}` })),
);

/** What came of all programs. */
export interface CrossOutcome {
  readonly programs: number;
  readonly kills: number;
  /** requests that the API has seen */
  readonly requests: number;
  readonly persons: readonly string[];
  /** codes and tokens that the provider gave */
  readonly issued: number;
  readonly wrong: readonly object[];
  readonly foreign: readonly string[];
  readonly leaks: readonly object[];
  /** how often a program was run again, since it had done nothing for want of a token */
  readonly lost: number;
  /** programs that neither showed their row nor told of a server that was killed */
  readonly failed: readonly string[];
}

/** A run that a kill has cut off says so: nothing else may keep a program from its row. */
const wasCutOff = (text: string): boolean =>
  /in doubt|interrupted|was stopped|ended while/.test(text);

/**
 * Runs programs of every account on every surface, all at once, while access tokens end, refresh tokens rotate and the server is killed. The
 * API says afterwards with whose token each request came.
 */
export async function crossProduct(
  world: SignInWorld,
  { programs, kills }: { readonly programs: number; readonly kills: number },
): Promise<CrossOutcome> {
  const [foreign, failed]: [string[], string[]] = [[], []];
  let [done, made, lost] = [0, 0, 0];
  const total = ACCOUNTS.length * SURFACES.length * programs;
  const work = async (surface: Surface, account: Account, at: number): Promise<void> => {
    const run = await world.session(surface, account);
    for (let n = 0; n < programs; n += 1) {
      const boat = boatOf(account, at * programs + n);
      // Every other one changes something.
      const program =
        n % 2 === 1 ? `Boat("${boat}").update(note="n${n}")` : `Boat("${boat}")[id, name]`;
      let text = await run(program);
      for (let again = 0; again < 3 && hasLostSignIn(text); again += 1) {
        lost += 1;
        text = await run(program);
      }
      foreign.push(...foreignRows(text, account, ACCOUNTS));
      const isRight = isRightAnswer(text, account, boat, n % 2 === 1);
      if (!isRight && !(made > 0 && wasCutOff(text))) failed.push(`${program}: ${text}`);
      done += 1;
      if (done % 5 === 0) world.oauth.endAccessTokens();
    }
  };
  // Each account signs in once; all that comes later are refreshes, and sign-ins that a kill has cost.
  for (const [n, account] of ACCOUNTS.entries())
    await (
      await world.session("http", account)
    )(`Boat("${boatOf(account, total + n)}")[id, name]`);
  const workers = SURFACES.flatMap((surface, s) =>
    ACCOUNTS.map((account, a) => work(surface, account, s * ACCOUNTS.length + a)),
  );
  const killing = (async () => {
    while (made < kills && done < total) {
      if (done >= ((made + 1) * total) / (kills + 1)) {
        made += 1;
        await world.kill();
      } else await new Promise((next) => setTimeout(next, 5));
    }
  })();
  await Promise.all([...workers, killing]);
  const { calls, issued } = world.oauth;
  const persons = new Set(calls.flatMap(({ person }) => person ?? []));
  return {
    programs: total,
    kills: made,
    requests: calls.length,
    persons: [...persons].toSorted(),
    issued: issued.length,
    lost,
    wrong: wrongTokens(calls),
    foreign,
    leaks: await world.leaks(),
    failed,
  };
}
