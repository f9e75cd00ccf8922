import { pascal, snake, wordsOf } from "@plasm/importers";
import { plainSchema, type Tree, tree } from "./plain-schema.ts";
import { toolAnswer, type ToolAnswer } from "./tool-answer.ts";
import { type GroupedTool, groupTools } from "./tool-groups.ts";

/** What an MCP server says of one of its tools. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
  readonly execution?: { readonly taskSupport?: string | undefined } | undefined;
}

export const isRead = ({ annotations }: Pick<McpTool, "annotations">): boolean =>
  annotations?.readOnlyHint === true;

/** A name as catalogs write those of calls, arguments and fields; "" where it has no letter. */
export const memberName = (name: string): string =>
  snake(wordsOf(name)).replace(/^(?=[0-9])/, "t_");

/** Words as catalogs write the name of an entity. */
const entityName = (words: readonly string[]): string => pascal(words).replace(/^(?=[0-9])/, "T");

export const oneLine = (text: unknown, most = 300): string =>
  (typeof text === "string" ? text : "")
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()
    .slice(0, most);

/** An argument of a tool, by the name that programs write. */
interface ToolArgument {
  readonly name: string;
  readonly wire: string;
  readonly description: string;
  readonly schema: Tree;
  readonly required: boolean;
  readonly takes: string;
  readonly isChoice: boolean;
}

function slotsOf(input: Tree): readonly ToolArgument[] {
  const { properties, required } = input;
  const wanted = new Set(Array.isArray(required) ? required : []);
  const seen = new Set<string>();
  return Object.entries(tree(properties)).map(([wire, given]) => {
    const schema = tree(given);
    let name = memberName(wire) || "value";
    while (seen.has(name)) name = `${name}_`;
    seen.add(name);
    const description = oneLine(schema["description"], 160);
    const { description: _said, ...takes } = schema;
    return {
      name,
      wire,
      description,
      schema,
      required: wanted.has(wire),
      takes: JSON.stringify(takes),
      isChoice: Array.isArray(schema["enum"]),
    };
  });
}

/** A tool with its arguments, and what is said of both. */
interface Described extends GroupedTool {
  readonly tool: McpTool;
  readonly answer: ToolAnswer;
  readonly slots: readonly ToolArgument[];
}

/** A tool as a catalog has it: on which entity, by which names. */
export interface ToolDraft extends Described {
  /** what it is asked of: its own entity for reads of rows, that of its group for all else */
  readonly entity: string;
  /** what its rows are */
  readonly rows: string;
  readonly capability: string;
  /** what its group is about; null where it is the server's */
  readonly about: string | null;
  /** its arguments that tables leave out */
  readonly rare: ReadonlySet<string>;
}

function describedOf(tool: McpTool): Described {
  const input = plainSchema(tool.inputSchema);
  const answer = toolAnswer(input, plainSchema(tool.outputSchema), isRead(tool));
  return {
    tool,
    answer,
    name: tool.name,
    description: oneLine(tool.description) || oneLine(tool.title) || wordsOf(tool.name).join(" "),
    isRead: isRead(tool),
    // Pages follow each other by themselves.
    slots: slotsOf(input).filter(({ wire }) => wire !== answer.next?.argument),
  };
}

/** Why a tool is not offered; null if it is. */
function refusal(tool: McpTool, names: ReadonlySet<string>): string | null {
  if (tool.execution?.taskSupport === "required")
    return "it runs as a task only, which is not called here";
  if (memberName(tool.name) === "") return "its name has no letter";
  return names.has(memberName(tool.name)) ? "another tool has this name, but for its signs" : null;
}

/** A read whose answer is rows by a schema, which are an entity of their own. */
const hasOwnRows = ({ isRead: reads, answer }: Described): boolean =>
  reads && answer.properties !== null;

/** The rows of a tool's answer by its schema, by its name and no other's. */
function rowsName(tool: McpTool, taken: ReadonlySet<string>): string {
  const name = entityName(wordsOf(tool.name));
  return taken.has(name) ? `${name}Answer` : name;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The tools of a catalog: those that answer rows each on an entity of its own, all others in groups. */
function draftsOf(tools: readonly McpTool[], id: string): readonly ToolDraft[] {
  const server = entityName(wordsOf(id));
  const all = tools.map(describedOf);
  const own = all.filter(hasOwnRows);
  const groups = groupTools(all.filter((one) => !hasOwnRows(one)));
  const answers = new Set(tools.map(({ name }) => entityName(wordsOf(name))));
  const groupName = (about: readonly string[]): string => {
    const name = entityName(about);
    return name === server || answers.has(name) ? `${name}Tools` : name;
  };
  const named = groups.map((group) => ({
    ...group,
    entity: group.about === null ? server : groupName(group.about),
  }));
  const taken = new Set([server, ...named.map(({ entity }) => entity)]);
  // Alone on its entity, a read is what the entity's name alone asks for.
  const alone = own.map((one): ToolDraft => {
    const rows = rowsName(one.tool, taken);
    const capability = `${rows.toLowerCase()}_query`;
    return { ...one, entity: rows, rows, capability, about: null, rare: NOTHING };
  });
  const together = named.flatMap(({ entity, about, rare, tools: some }) =>
    some.map((one): ToolDraft => {
      const rows = one.answer.properties === null ? entity : rowsName(one.tool, taken);
      const capability = `${entity.toLowerCase()}_${memberName(one.name)}`;
      return { ...one, entity, rows, capability, about: about?.join(" ") ?? null, rare };
    }),
  );
  const order = new Map(tools.map((tool, at) => [tool, at]));
  return [...alone, ...together].toSorted(
    (a, b) => (order.get(a.tool) ?? 0) - (order.get(b.tool) ?? 0),
  );
}

/** How a tool's name begins. */
const isAsked = ({ name }: McpTool, only: readonly string[]): boolean =>
  only.length === 0 || only.some((one) => name.startsWith(one));

/** The tools whose names begin as `only` says, by their names; and those that no catalog has, with the reason. */
export function draftTools(
  all: readonly McpTool[],
  id: string,
  only: readonly string[],
): {
  readonly drafts: readonly ToolDraft[];
  readonly left: readonly string[];
  readonly asked: number;
} {
  const tools = all
    .filter((tool) => isAsked(tool, only))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [left, names, kept]: [string[], Set<string>, McpTool[]] = [[], new Set(), []];
  for (const tool of tools) {
    const why = refusal(tool, names);
    if (why === null) kept.push(tool);
    else left.push(`the tool ${tool.name}: ${why}`);
    names.add(memberName(tool.name));
  }
  return { drafts: draftsOf(kept, id), left, asked: tools.length };
}
