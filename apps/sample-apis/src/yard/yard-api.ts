import type { Hono } from "hono";
import { type Complaint, notFound, unprocessable } from "../http/api-app.ts";
import { type Body, type BodyShape, judge, type MemberRule, readBody, text } from "../http/body.ts";
import { cursorPage, cursorParameters, readQuery } from "../http/paging.ts";
import type { JsonStore } from "../storage/json-store.ts";

interface YardBoat {
  readonly id: number;
  readonly dock: string | null;
}

interface Part {
  readonly maker: string;
  readonly no: number;
  /** The part's description, line by line: what edits insert into and drop from. */
  readonly lines: readonly string[];
}

export interface YardData {
  readonly format: 1;
  readonly boats: readonly YardBoat[];
  readonly parts: readonly Part[];
}

/** Whether a stored value has yard's shape, as far as its outline goes. */
export const isYardData = (value: unknown): value is YardData => {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return record["format"] === 1 && Array.isArray(record["boats"]) && Array.isArray(record["parts"]);
};

const findPart = (data: YardData, maker: string, no: string): Part => {
  const part = data.parts.find((one) => one.maker === maker && String(one.no) === no);
  if (part === undefined) throw notFound("part", `${no} of maker ${maker}`);
  return part;
};

const addBoats = (app: Hono, store: JsonStore<YardData>): void => {
  app.get("/boats", (c) => {
    const query = readQuery(c.req.url, cursorParameters);
    const { rows, next } = cursorPage(store.data.boats, query);
    return c.json({ boats: rows, next });
  });

  app.get("/boats/:id", (c) => {
    readQuery(c.req.url, []);
    const id = c.req.param("id");
    const boat = store.data.boats.find((candidate) => String(candidate.id) === id);
    if (boat === undefined) throw notFound("boat", id);
    return c.json(boat);
  });
};

const addParts = (app: Hono, store: JsonStore<YardData>): void => {
  app.get("/parts/:maker/:no", (c) => {
    readQuery(c.req.url, []);
    return c.json(findPart(store.data, c.req.param("maker"), c.req.param("no")));
  });

  app.post("/parts/:maker/:no/edits", async (c) => {
    const { maker, no } = c.req.param();
    findPart(store.data, maker, no);
    const given = await readBody(c, { required: { ops: () => undefined }, optional: {} });
    const edits = readEdits(given["ops"]);
    const edited = await store.change((data) => {
      const old = findPart(data, maker, no);
      const part = { ...old, lines: editLines(old.lines, edits) };
      const parts = data.parts.map((one) => (one === old ? part : one));
      return { data: { ...data, parts }, result: part };
    });
    return c.json(edited);
  });
};

/** Yard: boats on dock, listed by cursor, and parts found by maker and number. */
export const addYard = (app: Hono, store: JsonStore<YardData>): void => {
  addBoats(app, store);
  addParts(app, store);
};

const docks = ["dry 1", "dry 2", "slip", null, "hall"] as const;
const boatCount = 45;

const parts: readonly Part[] = [
  { maker: "a", no: 1, lines: ["propeller", "three blades"] },
  { maker: "a", no: 2, lines: ["shaft"] },
  { maker: "b & sons", no: 1, lines: ["winch", "hand driven", "with brake"] },
  { maker: "a/b", no: 7, lines: [] },
];

/** Yard's first data, the same at every call. */
export const seedYard = (): YardData => ({
  format: 1,
  boats: Array.from({ length: boatCount }, (_none, index) => ({
    id: index + 1,
    dock: docks[index % docks.length] ?? null,
  })),
  parts,
});

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
const readEdits = (ops: unknown): readonly Edit[] => {
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
const editLines = (lines: readonly string[], edits: readonly Edit[]): readonly string[] =>
  edits.reduce(applyOne, lines);
