import { unprocessable, type Complaint } from "../http/api-error.ts";
import { judge, type Body, type BodyShape, type MemberRule } from "../http/body.ts";
import { text } from "../http/member-rules.ts";

type Edit =
  | { readonly op: "insert"; readonly at: number; readonly text: string }
  | { readonly op: "drop"; readonly at: number };

const position: MemberRule = (value) =>
  Number.isInteger(value) && Number(value) >= 0 ? undefined : "must be an integer from 0";

const anything: MemberRule = () => undefined;

const shapes: Readonly<Record<Edit["op"], BodyShape>> = {
  insert: { required: { op: anything, at: position, text }, optional: {} },
  drop: { required: { op: anything, at: position }, optional: {} },
};

const isObject = (value: unknown): value is Body => typeof value === "object" && value !== null;

const complaintsOf = (edit: unknown, index: number): readonly Complaint[] => {
  const place = `ops[${index}]`;
  if (!isObject(edit)) return [{ field: place, message: "must be an object" }];
  const op = edit["op"];
  if (op !== "insert" && op !== "drop") {
    return [{ field: `${place}.op`, message: "must be one of insert, drop" }];
  }
  return judge(edit, shapes[op]).map(({ field, message }) => ({
    field: `${place}.${field}`,
    message,
  }));
};

/** Reads `ops` of an edit; 422 naming everything wrong in any of them. */
export const readEdits = (ops: unknown): readonly Edit[] => {
  if (!Array.isArray(ops) || ops.length === 0) {
    throw unprocessable([{ field: "ops", message: "must be a list that is not empty" }]);
  }
  const complaints = ops.flatMap(complaintsOf);
  if (complaints.length > 0) throw unprocessable(complaints);
  return ops as readonly Edit[];
};

const applyOne = (lines: readonly string[], edit: Edit, index: number): readonly string[] => {
  const last = edit.op === "insert" ? lines.length : lines.length - 1;
  if (edit.at > last) {
    throw unprocessable([{ field: `ops[${index}].at`, message: "is behind the last line" }]);
  }
  return edit.op === "insert"
    ? lines.toSpliced(edit.at, 0, edit.text)
    : lines.toSpliced(edit.at, 1);
};

/** Applies edits one after the other, each to the lines its predecessors left; 422 beyond the end. */
export const editLines = (lines: readonly string[], edits: readonly Edit[]): readonly string[] =>
  edits.reduce(applyOne, lines);
