/** What operators of other languages are called here (errors specification, `unknown_method`). */
const FORMS: ReadonlyMap<string, string> = new Map([
  ["all", "the rows without this step"],
  ["count", ".aggregate(n=count)"],
  ["first", ".limit(1)"],
  ["take", ".limit(10)"],
  ["head", ".limit(10)"],
  ["select", "[column, column]"],
  ["project", "[column, column]"],
  ["columns", "[column, column]"],
  ["where", ".filter{column=value}"],
  ["find", ".filter{column=value}"],
  ["map", "=> {name: _.column} after the rows"],
  ["foreach", "=> after the rows"],
  ["each", "=> after the rows"],
  ["order", ".sort(column, desc)"],
  ["order_by", ".sort(column, desc)"],
  ["orderby", ".sort(column, desc)"],
  ["sort_by", ".sort(column, desc)"],
  ["unique", ".distinct(column)"],
  ["uniq", ".distinct(column)"],
  ["group", ".group_by(column, n=count)"],
  ["groupby", ".group_by(column, n=count)"],
  ["sum", ".aggregate(t=sum(column))"],
  ["avg", ".aggregate(a=avg(column))"],
  ["min", ".aggregate(m=min(column))"],
  ["max", ".aggregate(m=max(column))"],
  ["page", ".page_size(20)"],
  ["one", ".singleton()"],
  ["single", ".singleton()"],
]);

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
  return OPERATORS.get(name) ?? FORMS.get(name.toLowerCase());
}
