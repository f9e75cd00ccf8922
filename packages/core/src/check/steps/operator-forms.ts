/** What a step of another language is here, and what its arguments must be for it to be written so. */
export interface OperatorHabit {
  /** the form that a correction shows */
  readonly form: string;
  /** what arguments leave no doubt of the whole step; none for a form that is only shown */
  readonly takes?: "nothing" | "names" | "conditions" | "count";
  /** what stands before and behind the arguments; with `nothing` the step is both together */
  readonly around?: readonly [string, string];
}

const shown = (form: string): OperatorHabit => ({ form });
const plain = (step: string, form = step): OperatorHabit => ({
  form,
  takes: "nothing",
  around: [step, ""],
});
const COLUMNS: OperatorHabit = { form: "[column, column]", takes: "names", around: ["[", "]"] };
const SORT: OperatorHabit = {
  form: ".sort(column, desc)",
  takes: "names",
  around: [".sort(", ")"],
};
const FILTER: OperatorHabit = {
  form: ".filter{column=value}",
  takes: "conditions",
  around: [".filter{", "}"],
};
const LIMIT: OperatorHabit = { form: ".limit(10)", takes: "count", around: [".limit(", ")"] };
const UNIQUE: OperatorHabit = {
  form: ".distinct(column)",
  takes: "nothing",
  around: [".distinct()", ""],
};

/** What operators of other languages are called here (errors specification, `unknown_method`). */
const HABITS: ReadonlyMap<string, OperatorHabit> = new Map([
  ["all", plain("", "the rows without this step")],
  ["count", plain(".aggregate(n=count)")],
  ["first", plain(".limit(1)")],
  ["take", LIMIT],
  ["head", LIMIT],
  ["select", COLUMNS],
  ["project", COLUMNS],
  ["columns", COLUMNS],
  ["where", FILTER],
  ["find", FILTER],
  ["map", shown("=> {name: _.column} after the rows")],
  ["foreach", shown("=> after the rows")],
  ["each", shown("=> after the rows")],
  ["order", SORT],
  ["order_by", SORT],
  ["orderby", SORT],
  ["sort_by", SORT],
  ["unique", UNIQUE],
  ["uniq", UNIQUE],
  ["group", shown(".group_by(column, n=count)")],
  ["groupby", shown(".group_by(column, n=count)")],
  ["sum", shown(".aggregate(t=sum(column))")],
  ["avg", shown(".aggregate(a=avg(column))")],
  ["min", shown(".aggregate(m=min(column))")],
  ["max", shown(".aggregate(m=max(column))")],
  ["page", shown(".page_size(20)")],
  ["one", plain(".singleton()")],
  ["single", plain(".singleton()")],
]);

/** What a word of another language is as a step; undefined if it is none that is known. */
export function operatorHabit(name: string): OperatorHabit | undefined {
  return HABITS.get(name.toLowerCase());
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["limit", ".limit(10)"],
  ["page_size", ".page_size(20)"],
  ["singleton", ".singleton()"],
  ["sort", ".sort(column, desc)"],
  ["aggregate", ".aggregate(n=count)"],
  ["group_by", ".group_by(column, n=count)"],
  ["distinct", ".distinct(column)"],
  ["filter", ".filter{column=value}"],
]);

/** The form of an operator that was misspelled, or misses its brackets; undefined if none is meant. */
export function operatorForm(name: string): string | undefined {
  return OPERATORS.get(name) ?? operatorHabit(name)?.form;
}
