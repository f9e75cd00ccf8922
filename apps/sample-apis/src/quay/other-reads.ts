import type { Hono } from "hono";
import { notFound } from "../http/api-error.ts";
import { numberedPage, offsetPage, offsetParameters, pageParameters } from "../http/paging.ts";
import { readQuery } from "../http/query.ts";
import type { JsonStore } from "../storage/json-store.ts";
import { findBoat } from "./boat-reads.ts";
import type { QuayData } from "./data.ts";
import { logLine, personOf } from "./wire.ts";

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
export const addOtherReads = (app: Hono, store: Store): void => {
  addPeople(app, store);
  addVisits(app, store);
  addRecords(app, store);
};
