import { describe, expect, it, test } from "vitest";
import { GUESS_LIMITS, Guesses, senderOf, type GuessAttempt } from "./guesses.ts";

const MINUTE_MS = 60_000;
const LIMITS = {
  credentials: { burst: 3, perMinute: 2 },
  key: { burst: 2, perMinute: 1 },
  paths: { burst: 3, perMinute: 2 },
  entries: 20,
};

let now = 0;
const guesses = (): Guesses => new Guesses(LIMITS, () => now);
const keyOf = (id: number, n: number): string =>
  `plasm_${String(id).padStart(16, "0")}_${String(n).padStart(43, "0")}`;
const attempt = (more: Partial<GuessAttempt> = {}): GuessAttempt => ({
  address: "198.51.100.7",
  credential: null,
  path: "/v1/registry",
  ...more,
});

/** Sends an attempt that would be answered so: whether it got through. */
function sent(held: Guesses, one: GuessAttempt, status: number): boolean {
  if (held.refuse(one) !== null) return false;
  held.note(one, status);
  return true;
}

const through = (held: Guesses, ones: readonly GuessAttempt[], status: number): number =>
  ones.filter((one) => sent(held, one, status)).length;
const times = <T>(n: number, make: (at: number) => T): T[] =>
  Array.from({ length: n }, (_, at) => make(at));

describe("18.19 guessed keys", () => {
  it("a hundred tokens from one address: as many as the burst, then as many as the minutes", () => {
    const held = guesses();
    const guessed = times(100, (n) => attempt({ credential: `a.b.${n}` }));
    expect(through(held, guessed, 401)).toBe(3);
    const refused = held.refuse(attempt({ credential: "another" }));
    expect(refused).toMatchObject({ status: 429, code: "plasm-rate-limited", retryAfter: 30 });
    now += MINUTE_MS;
    expect(through(held, guessed, 401)).toBe(2);
  });

  it("one key from many addresses: by the id that stands in it", () => {
    const held = guesses();
    const guessed = times(100, (n) =>
      attempt({ address: `198.51.${n}.1`, credential: keyOf(7, n) }),
    );
    expect(through(held, guessed, 401)).toBe(2);
    expect(sent(held, attempt({ address: "203.0.113.1", credential: keyOf(8, 1) }), 200)).toBe(
      true,
    );
  });

  it("what was good before passes beside them, until it is refused itself", () => {
    const held = guesses();
    const hers = attempt({ credential: keyOf(7, 0) });
    expect(sent(held, hers, 200)).toBe(true);
    through(
      held,
      times(50, (n) => attempt({ credential: keyOf(7, n + 1) })),
      401,
    );
    expect(sent(held, hers, 200)).toBe(true);
    expect(sent(held, hers, 401)).toBe(true);
    expect(sent(held, hers, 200)).toBe(false);
  });

  it("requests without a credential are not held by those of others", () => {
    const held = guesses();
    through(
      held,
      times(50, (n) => attempt({ credential: `x${n}` })),
      401,
    );
    expect(
      through(
        held,
        times(50, () => attempt()),
        200,
      ),
    ).toBe(50);
  });
});

describe("18.19 guessed paths of sessions", () => {
  const at = (n: number): GuessAttempt =>
    attempt({ path: `/execute/${"a".repeat(64)}/${n}/symbols` });

  it("are held where who calls proves nothing; a session that was there is not", () => {
    const held = guesses();
    expect(sent(held, at(0), 200)).toBe(true);
    expect(
      through(
        held,
        times(100, (n) => at(n + 1)),
        404,
      ),
    ).toBe(3);
    expect(sent(held, at(0), 404)).toBe(true);
    expect(
      through(
        held,
        times(9, () => attempt({ path: "/v1/nothing" })),
        404,
      ),
    ).toBe(9);
  });

  it("with a good credential they give nothing, and are not counted", () => {
    const held = guesses();
    const ones = times(100, (n) => ({ ...at(n), credential: "good" }));
    expect(through(held, ones, 404)).toBe(100);
  });
});

it("18.19 remembers a bounded number of senders, keys and credentials", () => {
  const held = guesses();
  for (let n = 0; n < 5_000; n += 1) {
    const address = `2001:db8:${(n >> 8).toString(16)}:${(n % 256).toString(16)}::1`;
    held.note(attempt({ address, credential: keyOf(n, n) }), n % 2 === 0 ? 401 : 200);
    held.note(attempt({ address, path: `/execute/a/${n}` }), n % 2 === 0 ? 404 : 200);
  }
  expect(held.size).toBe(LIMITS.entries);
  expect(GUESS_LIMITS.entries).toBeLessThanOrEqual(10_000);
});

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::9", "2001:db8:1:2::"],
  ["unknown", "unknown"],
])("18.19 %s is of %s", (address, sender) => {
  expect(senderOf(address)).toBe(sender);
});
