import type { Hono } from "hono";
import { notFound } from "../http/api-error.ts";
import { numberedPage, pageParameters } from "../http/paging.ts";
import { readOption, readQuery, type Query } from "../http/query.ts";
import { unprocessable } from "../http/api-error.ts";
import type { JsonStore } from "../storage/json-store.ts";
import { boatStates, type Boat, type QuayData } from "./data.ts";
import { boatInFull, boatInList } from "./wire.ts";

export const findBoat = (data: QuayData, id: string): Boat => {
  const boat = data.boats.find((candidate) => candidate.id === id);
  if (boat === undefined) throw notFound("boat", id);
  return boat;
};

const inState = (query: Query): ((boat: Boat) => boolean) => {
  const state = readOption(query, "state", boatStates);
  return (boat) => state === undefined || boat.state === state;
};

/** `near` takes a side of the harbour or a pier; any other place has no boats. */
const isNear = (query: Query): ((boat: Boat) => boolean) => {
  const near = query["near"];
  return ({ berth }) => near === undefined || berth.side === near || berth.pier === near;
};

const hasWords = (words: string): ((boat: Boat) => boolean) => {
  const wanted = words.toLowerCase();
  return (boat) => boat.name.toLowerCase().includes(wanted);
};

const listed = (boats: readonly Boat[], query: Query) => numberedPage(boats.map(boatInList), query);

/** Lists, search and get of boats. */
export const addBoatReads = (app: Hono, store: JsonStore<QuayData>): void => {
  app.get("/boats", (c) => {
    const query = readQuery(c.req.url, ["state", "near", ...pageParameters]);
    return c.json(listed(store.data.boats.filter(inState(query)).filter(isNear(query)), query));
  });

  // An owner of nothing has no boats, and whoever is no person owns nothing.
  app.get("/owners/:login/boats", (c) => {
    const query = readQuery(c.req.url, ["state", ...pageParameters]);
    const owned = store.data.boats.filter((boat) => boat.owner === c.req.param("login"));
    return c.json(listed(owned.filter(inState(query)), query));
  });

  app.get("/search/boats", (c) => {
    const query = readQuery(c.req.url, ["q", "state", ...pageParameters]);
    const words = query["q"] ?? "";
    if (words === "") throw unprocessable([{ field: "q", message: "is required" }]);
    return c.json(listed(store.data.boats.filter(hasWords(words)).filter(inState(query)), query));
  });

  app.get("/boats/:id", (c) => {
    readQuery(c.req.url, []);
    return c.json(boatInFull(findBoat(store.data, c.req.param("id")), store.data));
  });

  app.get("/boats/:id/twin", (c) => {
    readQuery(c.req.url, []);
    const { id, twin } = findBoat(store.data, c.req.param("id"));
    if (twin === null) throw notFound("twin of boat", id);
    return c.json(boatInFull(findBoat(store.data, twin), store.data));
  });
};
