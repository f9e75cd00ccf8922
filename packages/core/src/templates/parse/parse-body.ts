import type { ReportProblem, TemplateBranch, TemplateNode } from "../tree.ts";
import { parseExpression, parseUnconditional } from "./parse-expression.ts";
import { isBlockPart, isReserved, refuseTag } from "./read-tag.ts";
import {
  MAX_TEMPLATE_DEPTH,
  type TemplateSegment,
  TagReader,
  type TagSegment,
} from "./tag-reader.ts";

type Block = "if" | "for";

/** Where the parser stands among the segments of a template. */
export interface BodyReader {
  readonly template: string;
  readonly segments: readonly TemplateSegment[];
  readonly report: ReportProblem;
  at: number;
  /** How many loops and how many blocks are open. */
  loops: number;
  depth: number;
  /** Whether the rest was left unread, so that no block can be told as open. */
  tooDeep: boolean;
  /** Ends of tags that were refused already: `endmacro` after a `macro`. */
  readonly refused: Set<string>;
}

/** The nodes up to the next part of an open block, which is not taken, or to the end. */
export function parseNodes(reader: BodyReader): readonly TemplateNode[] {
  const nodes: TemplateNode[] = [];
  for (;;) {
    const segment = reader.segments[reader.at];
    if (segment === undefined) return nodes;
    const isPart = segment.kind === "statement" && isBlockPart(tagWord(segment));
    if (isPart && reader.depth > 0) return nodes;
    reader.at++;
    const node = parseNode(reader, segment);
    if (node !== null) nodes.push(node);
  }
}

function parseNode(reader: BodyReader, segment: TemplateSegment): TemplateNode | null {
  if (segment.kind === "text") {
    const { start, end } = segment;
    return { kind: "text", text: reader.template.slice(start, end), start, end };
  }
  const tag = openTag(reader, segment);
  if (segment.kind === "output") {
    const value = tag.expression();
    endTag(tag);
    return { kind: "output", value };
  }
  switch (tagWord(segment)) {
    case "set":
      return parseSet(tag, reader);
    case "if":
      return parseBlock(reader, segment, () => parseIf(reader, segment, tag));
    case "for":
      return parseBlock(reader, segment, () => parseFor(reader, segment, tag));
    default:
      refuseTag(tag, reader.refused);
      return null;
  }
}

/** The word a tag begins with. */
function tagWord(tag: TagSegment): string {
  const [first] = tag.tokens;
  return first?.kind === "word" ? first.text : "";
}

function openTag(reader: BodyReader, tag: TagSegment): TagReader {
  return new TagReader(tag, reader.loops, reader.report, parseExpression);
}

/** Reports what stands in a tag beyond what belongs there. */
function endTag(
  tag: TagReader,
  allowed = "an operator, a filter with |, or the end of the tag",
): void {
  if (tag.peek().kind !== "end") tag.unexpected(allowed);
}

function parseSet(tag: TagReader, reader: BodyReader): TemplateNode {
  tag.take();
  const name = takeName(tag, "set");
  if (tag.peek().kind === "end") reader.refused.add("endset");
  if (!tag.takeSign("=")) tag.unexpected("= and a value, as in {% set x = 1 %}");
  const value = tag.expression();
  endTag(tag);
  return { kind: "set", name, value };
}

/** The one name that `set` or `for` gives a value. */
function takeName(tag: TagReader, word: Block | "set"): string {
  const token = tag.peek();
  if (token.kind !== "word") tag.unexpected(`a name after ${word}`);
  if (isReserved(token.text) || token.text === "loop") {
    tag.fail(token, `Found the name ${token.text}, which is reserved. Allowed: other names.`);
  }
  tag.take();
  if (tag.isSign(",")) tag.unexpected(`one name after ${word}`);
  return token.text;
}

function parseBlock(
  reader: BodyReader,
  segment: TagSegment,
  parse: () => TemplateNode,
): TemplateNode | null {
  if (reader.depth === MAX_TEMPLATE_DEPTH) {
    reader.report(
      segment,
      `This block is too deep. Allowed: at most ${MAX_TEMPLATE_DEPTH} levels.`,
    );
    reader.at = reader.segments.length;
    reader.tooDeep = true;
    return null;
  }
  reader.depth++;
  const node = parse();
  reader.depth--;
  return node;
}

function parseIf(reader: BodyReader, opener: TagSegment, first: TagReader): TemplateNode {
  const branches: TemplateBranch[] = [];
  let tag = first;
  for (;;) {
    tag.take();
    const condition = tag.expression();
    endTag(tag);
    branches.push({ condition, body: parseNodes(reader) });
    const next = takePart(reader, opener, "if", ["elif", "else"]);
    if (next === null) return { kind: "if", branches, otherwise: [] };
    if (tagWord(next) === "else") {
      return { kind: "if", branches, otherwise: parseElse(reader, opener, next, "if") };
    }
    tag = openTag(reader, next);
  }
}

function parseFor(reader: BodyReader, opener: TagSegment, tag: TagReader): TemplateNode {
  tag.take();
  const variable = takeName(tag, "for");
  if (!tag.takeWord("in")) tag.unexpected("in and a list, as in {% for r in rows %}");
  const over = parseUnconditional(tag);
  if (tag.isWord("if")) {
    tag.unexpected("the end of the tag; choose items with {% if %} inside the loop");
  }
  endTag(tag);
  reader.loops++;
  const body = parseNodes(reader);
  reader.loops--;
  const next = takePart(reader, opener, "for", ["else"]);
  const otherwise = next === null ? [] : parseElse(reader, opener, next, "for");
  return { kind: "for", variable, over, body, otherwise };
}

function parseElse(
  reader: BodyReader,
  opener: TagSegment,
  segment: TagSegment,
  word: Block,
): readonly TemplateNode[] {
  endBare(openTag(reader, segment));
  const nodes = parseNodes(reader);
  takePart(reader, opener, word, []);
  return nodes;
}

/** Takes one of the parts a block may go on with; null if it is closed, or reported as not closed. */
function takePart(
  reader: BodyReader,
  opener: TagSegment,
  word: Block,
  parts: readonly string[],
): TagSegment | null {
  for (;;) {
    const segment = reader.segments[reader.at];
    if (segment === undefined || segment.kind === "text") {
      const at = { start: opener.start, end: opener.end };
      if (!reader.tooDeep && !opener.faulty)
        reader.report(at, `This ${word} is not closed. Close it with {% end${word} %}.`);
      return null;
    }
    const found = tagWord(segment);
    const tag = openTag(reader, segment);
    if (found === `end${word}` || parts.includes(found)) {
      reader.at++;
      if (parts.includes(found)) return segment;
      endBare(tag);
      return null;
    }
    const allowed = [...parts, `end${word}`].join(", ");
    tag.fail(tag.peek(), `Found ${found} in an open ${word}. Allowed here: ${allowed}.`);
    // An end may belong to a block around this one, which then is not told as open, too.
    if (found.startsWith("end")) return null;
    reader.at++;
    parseNodes(reader);
  }
}

/** Reads a tag of one word. */
function endBare(tag: TagReader): void {
  tag.take();
  endTag(tag, "the end of the tag");
}
