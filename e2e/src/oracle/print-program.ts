import { printFunction } from "./computed.ts";
import { type Cell, entityOf, type FieldType } from "./model.ts";
import type { Names } from "./names.ts";
import type {
  Aggregate,
  Condition,
  Given,
  Node,
  Path,
  Program,
  Source,
  Step,
  Tail,
  Value,
} from "./program.ts";

const WORD = /^[a-z][a-z_]*$/;
/** Words that mean something where a value stands, and words that labels may be. */
const MEANT = /^(true|false|null|now|today|yesterday|tomorrow|in|exists|any|all|not|[rst]\d*)$/;

const quoted = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;

const textOf = (text: string): string =>
  WORD.test(text) && !MEANT.test(text) ? text : quoted(text);

const instantText = (cell: Cell, unit: number): string =>
  typeof cell === "number" ? new Date(cell * unit).toISOString() : String(cell as string);

/** Prints a value as programs write it in a slot of its type. */
function printCell(names: Names, type: FieldType, target: string | null, cell: Cell): string {
  if (cell === null) return "null";
  switch (type) {
    case "integer":
    case "number":
    case "boolean":
    case "day":
    case "instant":
      return String(cell as string);
    case "unix_sec":
      return instantText(cell, 1000);
    case "unix_ms":
      return instantText(cell, 1);
    case "words":
    case "options":
      return Array.isArray(cell)
        ? `[${cell.map((each: Cell) => textOf(String(each as string))).join(", ")}]`
        : textOf(String(cell as string));
    case "json":
      return typeof cell === "string" ? quoted(cell) : JSON.stringify(cell);
    case "ref":
      return printReference(names, target, cell);
    default:
      return textOf(String(cell as string));
  }
}

function printReference(names: Names, target: string | null, cell: Cell): string {
  const entity = entityOf(names.world, target ?? "");
  const parts = entity.key.map((part) => {
    const field = entity.fields.find(({ name }) => name === part);
    const value =
      entity.key.length === 1 ? cell : ((cell as { readonly [key: string]: Cell })[part] ?? null);
    const text = field === undefined ? "" : printCell(names, field.type, field.target, value);
    return entity.key.length === 1 ? text : `${names.slot(part)}=${text}`;
  });
  return `${names.entity(entity.name)}(${parts.join(", ")})`;
}

const pathText = (names: Names, path: Path): string => path.map(names.slot).join(".");

function printValue(names: Names, value: Value): string {
  switch (value.kind) {
    case "literal":
      return printCell(names, value.type, value.target, value.value);
    case "computed":
      return printFunction(value.fn, `_.${pathText(names, value.path)}`);
    case "related": {
      const column = value.column === null ? "" : `.${names.slot(value.column)}`;
      return `${value.fn}(_.${names.slot(value.relation)}${column})`;
    }
    case "cell":
    case "column":
      break;
  }
  return [value.of, ...value.path.map(names.slot)].join(".");
}

const printGiven = (names: Names, given: Given, sign: string): string =>
  given.map(([name, value]) => `${names.slot(name)}${sign}${printValue(names, value)}`).join(", ");

function printCondition(names: Names, condition: Condition): string {
  switch (condition.kind) {
    case "compare":
      return `${pathText(names, condition.path)}${condition.op}${printValue(names, condition.value)}`;
    case "computed": {
      const computed = printFunction(condition.fn, pathText(names, condition.path));
      return `${computed} ${condition.op} ${printValue(names, condition.value)}`;
    }
    case "in": {
      const [first] = condition.values;
      const values = condition.values.map((value) => printValue(names, value)).join(", ");
      return `${pathText(names, condition.path)} in ${first?.kind === "column" ? values : `[${values}]`}`;
    }
    case "exists":
      return `exists(${pathText(names, condition.path)})`;
    case "is_null":
      return `${pathText(names, condition.path)}${condition.negated ? "!=" : "="}null`;
    case "param":
      return `${names.slot(condition.param)}=${printValue(names, condition.value)}`;
    default:
      return `${condition.kind}{${printConditions(names, condition.items)}}`;
  }
}

const printConditions = (names: Names, items: readonly Condition[]): string =>
  items.map((item) => printCondition(names, item)).join(", ");

const braces = (names: Names, items: readonly Condition[]): string =>
  items.length === 0 ? "" : `{${printConditions(names, items)}}`;

const printAggregates = (names: Names, aggregates: readonly Aggregate[]): readonly string[] =>
  aggregates.map(
    ({ as, fn, path }) => `${as}=${path === null ? "count" : `${fn}(${pathText(names, path)})`}`,
  );

const list = (names: Names, paths: readonly Path[]): string =>
  paths.map((path) => pathText(names, path)).join(", ");

function printStep(names: Names, step: Step): string {
  switch (step.kind) {
    case "filter":
      return `.filter{${printConditions(names, step.items)}}`;
    case "sort": {
      const by = step.by.map(({ path, desc }) => `${pathText(names, path)}${desc ? " desc" : ""}`);
      return `.sort(${by.join(", ")})`;
    }
    case "limit": {
      const per = step.per === null ? "" : `, per=${pathText(names, step.per)}`;
      return `.limit(${step.count}${per})`;
    }
    case "page_size":
      return `.page_size(${step.count})`;
    case "join": {
      const pairs = step.pairs.map(([left, right]) => `${names.slot(left)}=${names.slot(right)}`);
      return `.${step.outer ? "left_join" : "join"}(${[step.label, ...pairs].join(", ")})`;
    }
    case "distinct":
      return `.distinct(${list(names, step.paths)})`;
    case "project":
      return `[${list(names, step.paths)}]`;
    case "follow":
      return `.${names.slot(step.name)}${braces(names, step.items)}`;
    case "singleton":
      return ".singleton()";
    case "aggregate":
      return `.aggregate(${printAggregates(names, step.aggregates).join(", ")})`;
    case "group_by": {
      const computed = step.computed.map(
        ({ as, fn, path }) => `${as}=${printFunction(fn, pathText(names, path))}`,
      );
      const keys = [...step.paths.map((path) => pathText(names, path)), ...computed];
      return `.group_by(${[...keys, ...printAggregates(names, step.aggregates)].join(", ")})`;
    }
  }
}

const printKey = (names: Names, entity: string, key: Given): string => {
  const [only] = key;
  const one = key.length === 1 && only !== undefined;
  return `${names.entity(entity)}(${one ? printValue(names, only[1]) : printGiven(names, key, "=")})`;
};

function printSource(names: Names, source: Source): string {
  switch (source.kind) {
    case "list":
      return `${names.entity(source.entity)}${braces(names, source.items)}`;
    case "search":
      return `${names.entity(source.entity)}~${quoted(source.words)}${braces(names, source.items)}`;
    case "get":
      return printKey(names, source.entity, source.key);
    case "viewer":
    case "named":
      return `${names.entity(source.entity)}.${names.method(source.entity, source.label)}()`;
    case "label":
      return source.label;
  }
}

/** How templates show cells: what `evaluate` joins in the same way. */
function printTail(names: Names, tail: Tail): string {
  switch (tail.kind) {
    case "derive":
      return ` => {${printGiven(names, tail.entries, ": ")}}`;
    case "read_each":
      return ` => ${printKey(names, tail.entity, tail.key)}`;
    case "call_each":
      return ` => _.${names.method(tail.entity, tail.label)}(${printGiven(names, tail.args, "=")})`;
    case "template": {
      const shown = tail.paths.map((path) => `{{ r.${pathText(names, path)} }}`).join("|");
      return ` <<T\n{% for r in rows %}${shown};{% endfor %}\nT`;
    }
  }
}

function printNode(names: Names, node: Node): string {
  if (node.kind === "call") {
    const on =
      node.key === null ? names.entity(node.entity) : printKey(names, node.entity, node.key);
    return `${on}.${names.method(node.entity, node.label)}(${printGiven(names, node.args, "=")})`;
  }
  const steps = node.steps.map((step) => printStep(names, step)).join("");
  return `${printSource(names, node.source)}${steps}${node.tail === null ? "" : printTail(names, node.tail)}`;
}

/** Prints a program as it is sent. */
export function printProgram(names: Names, { statements, mistake }: Program): string {
  const lines = statements.map(
    ({ label, node }) => `${label === null ? "" : `${label} = `}${printNode(names, node)}`,
  );
  return [...lines, ...(mistake === null ? [] : [mistake.text])].join("\n");
}
