import type { Hono } from "hono";
import { notFound, unprocessable } from "../http/api-app.ts";
import {
  numberedPage,
  offsetPage,
  offsetParameters,
  pageParameters,
  type Query,
  readOption,
  readQuery,
} from "../http/paging.ts";
import type { JsonStore } from "../storage/json-store.ts";
import { type Boat, boatStates, type Person, type QuayData } from "./data.ts";
import { addBoatWrites } from "./boat-writes.ts";
import { quayDocument } from "./openapi-document.ts";
import { boatInFull, boatInList, findBoat, logLine } from "./boats.ts";

type Store = JsonStore<QuayData>;

const addPeople = (app: Hono, store: Store): void => {
  app.get("/people", (c) => {
    const query = readQuery(c.req.url, pageParameters);
    const people = store.data.people.map((person) => personOf(person, store.data));
    return c.json(numberedPage(people, query));
  });

  app.get("/people/:login", (c) => {
    readQuery(c.req.url, []);
    const login = c.req.param("login");
    const person = store.data.people.find((candidate) => candidate.login === login);
    if (person === undefined) throw notFound("person", login);
    return c.json(personOf(person, store.data));
  });
};

const addVisits = (app: Hono, store: Store): void => {
  app.get("/boats/:id/visits", (c) => {
    const query = readQuery(c.req.url, offsetParameters);
    const { id } = findBoat(store.data, c.req.param("id"));
    const { rows, ...place } = offsetPage(
      store.data.visits.filter(({ boat }) => boat === id),
      query,
    );
    return c.json({ visits: rows, ...place });
  });

  app.get("/boats/:id/visits/:day", (c) => {
    readQuery(c.req.url, []);
    const { id } = findBoat(store.data, c.req.param("id"));
    const day = c.req.param("day");
    const visit = store.data.visits.find((one) => one.boat === id && one.day === day);
    if (visit === undefined) throw notFound("visit", `of boat ${id} on ${day}`);
    return c.json(visit);
  });
};

const addRecords = (app: Hono, store: Store): void => {
  app.get("/logs/:id", (c) => {
    readQuery(c.req.url, []);
    const id = c.req.param("id");
    const log = store.data.logs.find((candidate) => String(candidate.id) === id);
    if (log === undefined) throw notFound("log", id);
    return c.json(logLine(log));
  });

  app.get("/papers/:id", (c) => {
    readQuery(c.req.url, []);
    const id = c.req.param("id");
    const paper = store.data.papers.find((candidate) => candidate.id === id);
    if (paper === undefined) throw notFound("paper", id);
    return c.json(paper);
  });

  app.get("/offices/:id", (c) => {
    readQuery(c.req.url, []);
    const id = c.req.param("id");
    const office = store.data.offices.find((candidate) => candidate.id === id);
    if (office === undefined) throw notFound("office", id);
    return c.json(office);
  });
};

/** Reads of people, visits, log lines, papers and offices. */
const addOtherReads = (app: Hono, store: Store): void => {
  addPeople(app, store);
  addVisits(app, store);
  addRecords(app, store);
};

const personOf = (person: Person, data: QuayData) => ({
  login: person.login,
  name: person.name,
  boats: data.boats.filter((boat) => boat.owner === person.login).length,
});

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
const addBoatReads = (app: Hono, store: JsonStore<QuayData>): void => {
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

/** Quay: boats, people, visits, log lines, papers and offices of one harbour. */
export const addQuay = (app: Hono, store: JsonStore<QuayData>): void => {
  addBoatReads(app, store);
  addBoatWrites(app, store);
  addOtherReads(app, store);
  app.get("/openapi.json", (c) =>
    c.json({ ...quayDocument(), servers: [{ url: new URL(c.req.url).origin }] }),
  );
};
