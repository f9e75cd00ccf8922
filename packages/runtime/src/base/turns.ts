/** Gives the event loop its turn. */
export type NextTurn = () => Promise<void>;

/**
 * Work that may pause wherever it yields, and what it comes to. What it yields is how many pieces were done since it
 * last did, where somebody counts them (PLAN-053).
 */
export type Pausable<Result> = Generator<number | undefined, Result>;

/** So many small pieces of work, of a tenth of a microsecond or so each, are done between two looks at the clock. */
export const PIECES = 64;

/** How long the loop may be held before it gets its turn. */
const SLICE_MS = 5;

/** Who waits for a turn, of all runs of this process, in order. */
const waiting: (() => void)[] = [];
let began = Number.NEGATIVE_INFINITY;

function goRound(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(goRound);
  began = performance.now();
  next?.();
}

/**
 * Waits until the event loop has gone round. One of all who wait goes on in each round, so that however much
 * local work of however many runs is due at once, calls, timers and cancels come in between (PLAN-065).
 */
export const nextTurn: NextTurn = () =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goRound);
  });

/** Whether the loop has not had its turn for long. */
const isOver = (): boolean => performance.now() - began > SLICE_MS;

/** The same work without a pause. */
export function atOnce<Result>(work: Pausable<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Counts pieces of work that were done; throws where no more may be done. */
export type ChargeWork = (pieces: number) => void;

/** Does work in slices of a few milliseconds; `pause` is awaited between two of them, and ends it by throwing. */
export async function inSlices<Result>(
  work: Pausable<Result>,
  pause: NextTurn,
  charge: ChargeWork = () => undefined,
): Promise<Result> {
  let done = 0;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    charge(step.value ?? 0);
    // Work of fewer pieces ends without a turn.
    done += step.value ?? PIECES;
    if (done < PIECES) continue;
    done = 0;
    if (isOver()) await pause();
  }
}

/** Does work when what was asked for before it is done. */
export type WorkQueue = <Result>(work: Pausable<Result>) => Promise<Result>;

/**
 * The local work of one run, in slices, piece after piece: what was begun comes to its end before the run's time is
 * over. Others have a turn before each. What it does is charged.
 */
export function createWorkQueue(pause: NextTurn, charge: ChargeWork): WorkQueue {
  let latest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = latest.then(nextTurn).then(() => inSlices(work, pause, charge));
    latest = done.catch(() => undefined);
    return done;
  };
}

/** How much work an item is, in pieces: the same for each, or what it turned out to be when it was visited. */
type PiecesOf<Item> = number | ((item: Item) => number);

/** Does something with each item in turn, with pauses between them. */
export function* visitEach<Item>(
  items: Iterable<Item>,
  visit: (item: Item, at: number) => void,
  pieces: PiecesOf<Item> = 8,
): Pausable<void> {
  let [at, done] = [0, 0];
  for (const item of items) {
    visit(item, at);
    at += 1;
    done += typeof pieces === "number" ? pieces : pieces(item);
    if (done < PIECES) continue;
    yield done;
    done = 0;
  }
  if (done > 0) yield done;
}

/** What is made of each item in turn, with pauses between them, as by {@link visitEach}. */
export function* eachOf<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item, at: number) => Made,
  pieces: PiecesOf<Item> = 8,
): Pausable<Made[]> {
  const made: Made[] = [];
  yield* visitEach(items, (item, at) => made.push(make(item, at)), pieces);
  return made;
}
