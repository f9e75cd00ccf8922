import type { Hono } from "hono";
import { notFound } from "../http/api-error.ts";
import { readBody } from "../http/body.ts";
import { cursorPage, cursorParameters } from "../http/paging.ts";
import { readQuery } from "../http/query.ts";
import type { JsonStore } from "../storage/json-store.ts";
import type { Part, YardData } from "./data.ts";
import { editLines, readEdits } from "./edit-lines.ts";

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
