import { type Tree, tree } from "./plain-schema.ts";

/** What a tool answers, as rows. */
export interface ToolAnswer {
  /** members of a row, with their schemas; null where a row is a text */
  readonly properties: Tree | null;
  /** the member of the answer that is a list of rows; null where the answer is one row */
  readonly list: string | null;
  /** how the list goes on: the argument that takes what stands under a name of the answer; null where nothing says so */
  readonly next: { readonly argument: string; readonly member: string } | null;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Members beside a list that say how it stands, and nothing of what it holds. */
const BESIDE =
  /^(has(more|next)(page)?|more|(is)?(truncated|lastpage)|total\w*|count|\w+count|num\w*|next\w*|prev\w*|\w*cursor|offset|page\w*|perpage|limit|size|success|ok|status\w*|code|errors?|message|warnings?|notes?|query|type|attribution|agenthints|hints|meta(data)?|pagination|paging)$/;

/** Arguments by which a list goes on. */
const GOES_ON = /^(\w*cursor|offset|(page|next|continuation)token|startingafter|after|marker)$/;

const isRowList = (schema: unknown): boolean => {
  const { type, items } = tree(schema);
  return (
    type === "array" &&
    tree(items)["type"] === "object" &&
    Object.keys(tree(tree(items)["properties"])).length > 0
  );
};

/** The one list of rows of an answer where nothing else in it is a row's. */
function listIn(properties: Tree): string | null {
  const entries = Object.entries(properties);
  const [list, second] = entries.filter(([, schema]) => isRowList(schema));
  if (list === undefined || second !== undefined) return null;
  const rest = entries.filter(([name]) => name !== list[0]);
  return rest.every(([name]) => BESIDE.test(plain(name))) ? list[0] : null;
}

const isText = (schema: unknown): boolean => tree(schema)["type"] === "string";

/** An argument of a list that takes a text which its answer has under that name, or as the next one. */
function nextOf(takes: Tree, answers: Tree): ToolAnswer["next"] {
  for (const [argument, schema] of Object.entries(takes)) {
    const name = plain(argument);
    if (!GOES_ON.test(name) || !isText(schema)) continue;
    const member = Object.entries(answers).find(
      ([key, said]) => isText(said) && [name, `next${name}`, "nextcursor"].includes(plain(key)),
    );
    if (member !== undefined) return { argument, member: member[0] };
  }
  return null;
}

/** Whether a schema says nothing of what a tool answers: it may be text, and text may be JSON. */
export const isFreeAnswer = (output: Tree): boolean =>
  Object.keys(tree(output["properties"])).length === 0;

const TEXT: ToolAnswer = { properties: null, list: null, next: null };

/**
 * What a tool answers by its output schema. Text is what a server says beside structured content, too: a lone text member says
 * the same once more.
 */
export function toolAnswer(input: Tree, output: Tree, isRead: boolean): ToolAnswer {
  const properties = tree(output["properties"]);
  const [only, second] = Object.entries(properties);
  if (only === undefined || isFreeAnswer(output)) return TEXT;
  if (second === undefined && only[0] === "content" && isText(only[1])) return TEXT;
  const list = isRead ? listIn(properties) : null;
  if (list === null) return { properties, list: null, next: null };
  const rows = tree(tree(tree(properties[list])["items"])["properties"]);
  const required = Array.isArray(input["required"]) ? input["required"] : [];
  const next = nextOf(tree(input["properties"]), properties);
  const isOpen = next !== null && !required.includes(next.argument);
  return { properties: rows, list, next: isOpen ? next : null };
}
