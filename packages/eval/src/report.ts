import { type Trial, type TrialVerdict, VERDICTS, verdictsOf } from "./trial.ts";

/** Dollars for a million tokens. */
export interface Price {
  readonly in: number;
  readonly out: number;
}

/** What came of all trials of one model in one form. */
export interface EvalSum {
  readonly model: string;
  readonly form: string;
  readonly trials: number;
  readonly first: Readonly<Record<TrialVerdict, number>>;
  readonly last: Readonly<Record<TrialVerdict, number>>;
  /** programs written, corrections among them */
  readonly programs: number;
  readonly tokens: { readonly in: number; readonly out: number };
  /** in dollars; null where no price was named */
  readonly price: number | null;
}

/** A trial in a report: how many messages it took, in place of what they say. */
type Reported = Omit<Trial, "turns"> & { readonly messages: number };

/** A report, as it is kept and compared. */
export interface EvalReport {
  readonly label: string;
  /** of the file of tasks */
  readonly tasks: string;
  readonly plasm: string;
  readonly sums: readonly EvalSum[];
  readonly trials: readonly Reported[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function counted(verdicts: readonly TrialVerdict[]): Readonly<Record<TrialVerdict, number>> {
  const count = (wanted: TrialVerdict) => verdicts.filter((one) => one === wanted).length;
  return Object.fromEntries(VERDICTS.map((one) => [one, count(one)])) as Record<
    TrialVerdict,
    number
  >;
}

function grouped<T>(list: readonly T[], by: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of list) {
    const group = found.get(by(one));
    if (group === undefined) found.set(by(one), [one]);
    else group.push(one);
  }
  return found;
}

const keyOf = ({ model, form }: { readonly model: string; readonly form: string }): string =>
  JSON.stringify([model, form]);

/** Adds up trials by model and form, in the order in which they came. */
export function sumsOf(trials: readonly Reported[], price: Price | null): readonly EvalSum[] {
  return [...grouped(trials, keyOf).values()].map((own) => {
    const [{ model, form } = { model: "", form: "" }] = own;
    const tokens = {
      in: sum(own.map((one) => one.tokens.in)),
      out: sum(own.map((one) => one.tokens.out)),
    };
    return {
      model,
      form,
      trials: own.length,
      first: counted(own.map((one) => verdictsOf(one).first)),
      last: counted(own.map((one) => verdictsOf(one).last)),
      programs: sum(own.map(({ attempts }) => attempts.length)),
      tokens,
      price: price === null ? null : (tokens.in * price.in + tokens.out * price.out) / 1_000_000,
    };
  });
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${Math.round((part * 1_000) / whole) / 10} %`;

/** A table in Markdown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const MOST_TOLD = 200;

const cut = (text: string): string =>
  text.length > MOST_TOLD ? `${text.slice(0, MOST_TOLD)}…` : text;

/** The trials that did not end right, each with what its model was told. */
function faultLines(trials: readonly Reported[]): readonly string[] {
  return trials
    .filter((one) => verdictsOf(one).last !== "right")
    .map((one) => {
      const { task, model, form, attempts, fault } = one;
      const last = attempts.at(-1);
      // Of what nothing says is wrong, only the program shows why.
      const told = fault ?? (last?.verdict === "wrong" ? last.program : last?.told) ?? "";
      const [line = ""] = told.split("\n").filter((each) => each.trim() !== "");
      return `${task} · ${model} · ${form}: ${verdictsOf(one).last}: ${cut(line)}`;
    });
}

/** A report as people read it: a table of what came of it, then what was not right. */
export function reportText({ label, sums, trials }: EvalReport): string {
  const head = ["Model", "Form", "Right at first", "Right", "Wrong, silently"];
  const more = ["Partial", "Refused", "Missing", "Programs", "Tokens in", "Tokens out", "Price"];
  const rows = sums.map((one) => [
    one.model,
    one.form,
    `${one.first.right} of ${one.trials} (${percent(one.first.right, one.trials)})`,
    `${one.last.right} of ${one.trials} (${percent(one.last.right, one.trials)})`,
    String(one.last.wrong),
    String(one.last.partial),
    String(one.last.refused),
    String(one.last.missing),
    String(one.programs),
    String(one.tokens.in),
    String(one.tokens.out),
    one.price === null ? "–" : `$${one.price.toFixed(4)}`,
  ]);
  const faults = faultLines(trials);
  return [
    label,
    "",
    table([...head, ...more], rows),
    ...(faults.length === 0 ? [] : ["", "Not right:", ...faults.map((one) => `- ${one}`)]),
  ].join("\n");
}

/** How often each task came out right, by model and form. */
function rightBy(report: EvalReport): ReadonlyMap<string, { right: number; of: number }> {
  const all = grouped(report.trials, ({ task, model, form }) =>
    JSON.stringify([task, model, form]),
  );
  return new Map(
    [...all].map(([key, own]) => [
      key,
      { right: own.filter((one) => verdictsOf(one).last === "right").length, of: own.length },
    ]),
  );
}

const ratio = (now: number, before: number): string =>
  before === 0 ? "–" : (now / before).toFixed(2);

/** What has changed since an earlier report: shares and tokens by model and form, and each task that came out otherwise. */
export function comparisonText(before: EvalReport, now: EvalReport): string {
  const rows = now.sums.flatMap((one) => {
    const other = before.sums.find((each) => keyOf(each) === keyOf(one));
    if (other === undefined) return [];
    return [
      [
        one.model,
        one.form,
        `${percent(other.last.right, other.trials)} → ${percent(one.last.right, one.trials)}`,
        `${other.last.wrong} → ${one.last.wrong}`,
        ratio(one.tokens.in / one.trials, other.tokens.in / other.trials),
        ratio(one.tokens.out / one.trials, other.tokens.out / other.trials),
      ],
    ];
  });
  const earlier = rightBy(before);
  const changed = [...rightBy(now)].flatMap(([key, { right, of }]) => {
    const was = earlier.get(key);
    if (was === undefined || was.right * of === right * was.of) return [];
    const [task, model, form] = JSON.parse(key) as readonly string[];
    return [`- ${task} · ${model} · ${form}: right ${was.right} of ${was.of} → ${right} of ${of}`];
  });
  const same =
    before.tasks === now.tasks
      ? []
      : ["The tasks are not the same in both: what is not in both is left out."];
  return [
    `Beside the earlier report (plasm ${before.plasm} → ${now.plasm})`,
    "",
    ...same,
    table(
      ["Model", "Form", "Right", "Wrong, silently", "Tokens in, ratio", "Tokens out, ratio"],
      rows,
    ),
    ...(changed.length === 0 ? ["", "Each task came out as before."] : ["", ...changed]),
  ].join("\n");
}
