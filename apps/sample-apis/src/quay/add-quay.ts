import type { Hono } from "hono";
import type { JsonStore } from "../storage/json-store.ts";
import { addBoatReads } from "./boat-reads.ts";
import { addBoatWrites } from "./boat-writes.ts";
import type { QuayData } from "./data.ts";
import { quayDocument } from "./openapi-document.ts";
import { addOtherReads } from "./other-reads.ts";

/** Quay: boats, people, visits, log lines, papers and offices of one harbour. */
export const addQuay = (app: Hono, store: JsonStore<QuayData>): void => {
  addBoatReads(app, store);
  addBoatWrites(app, store);
  addOtherReads(app, store);
  app.get("/openapi.json", (c) =>
    c.json({ ...quayDocument(), servers: [{ url: new URL(c.req.url).origin }] }),
  );
};
