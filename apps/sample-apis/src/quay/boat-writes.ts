import type { Hono } from "hono";
import { unprocessable } from "../http/api-app.ts";
import {
  type Body,
  lengthOrNull,
  type MemberRule,
  oneOfOrNull,
  readBody,
  readNoBody,
  text,
  textOrNull,
} from "../http/body.ts";
import type { JsonStore } from "../storage/json-store.ts";
import { boatInFull, findBoat } from "./boats.ts";
import { type Boat, boatStates, type QuayData } from "./data.ts";

type Store = JsonStore<QuayData>;

const knownPerson =
  (store: Store): MemberRule =>
  (value) =>
    store.data.people.some((person) => person.login === value)
      ? undefined
      : "must be the login of a person";

/** Members a rule has judged already, given their types. */
type NewBoat = Pick<Boat, "name" | "owner"> & Partial<Pick<Boat, "length" | "note">>;
type BoatChange = Partial<Pick<Boat, "name" | "state" | "note">>;
const judgedAs = <Shape>(body: Body): Shape => body as Shape;

const replaceBoat = (data: QuayData, boat: Boat): QuayData => ({
  ...data,
  boats: data.boats.map((old) => (old.id === boat.id ? boat : old)),
});

const launched = (data: QuayData, given: NewBoat): Boat => ({
  id: `b${data.nextBoat}`,
  length: null,
  state: null,
  built: null,
  note: null,
  flags: [],
  meta: {},
  papers: null,
  twin: null,
  pings: 0,
  berth: { side: "north", pier: "x" },
  ...given,
});

const addCreate = (app: Hono, store: Store): void => {
  const shape = {
    required: { name: text, owner: knownPerson(store) },
    optional: { length: lengthOrNull, note: textOrNull },
  };
  app.post("/boats", async (c) => {
    const given = judgedAs<NewBoat>(await readBody(c, shape));
    const created = await store.change((data) => {
      const boat = launched(data, given);
      const boats = [...data.boats, boat];
      const next = { ...data, nextBoat: data.nextBoat + 1, boats };
      return { data: next, result: boatInFull(boat, next) };
    });
    return c.json(created, 201, { location: `/boats/${created.id}` });
  });
};

const addUpdate = (app: Hono, store: Store): void => {
  const optional = { name: text, state: oneOfOrNull(boatStates), note: textOrNull };
  app.patch("/boats/:id", async (c) => {
    findBoat(store.data, c.req.param("id"));
    const given = judgedAs<BoatChange>(await readBody(c, { required: {}, optional }));
    if (Object.keys(given).length === 0) {
      const names = Object.keys(optional).join(", ");
      throw unprocessable([{ field: "body", message: `needs at least one of ${names}` }]);
    }
    const changed = await store.change((data) => {
      const boat = { ...findBoat(data, c.req.param("id")), ...given };
      const next = replaceBoat(data, boat);
      return { data: next, result: boatInFull(boat, next) };
    });
    return c.json(changed);
  });
};

const addActions = (app: Hono, store: Store): void => {
  app.post("/boats/:id/ping", async (c) => {
    await readNoBody(c);
    await store.change((data) => {
      const boat = findBoat(data, c.req.param("id"));
      return { data: replaceBoat(data, { ...boat, pings: boat.pings + 1 }), result: undefined };
    });
    return c.body(null, 204);
  });

  app.post("/boats/:id/messages", async (c) => {
    const id = c.req.param("id");
    findBoat(store.data, id);
    const given = await readBody(c, { required: { to: text }, optional: { note: textOrNull } });
    const { to, note = null } = judgedAs<{ to: string; note?: string | null }>(given);
    await store.change((data) => {
      const message = { boat: findBoat(data, id).id, to, note };
      return { data: { ...data, messages: [...data.messages, message] }, result: undefined };
    });
    return c.body(null, 204);
  });

  app.get("/boats/:id/messages", (c) => {
    const { id } = findBoat(store.data, c.req.param("id"));
    const sent = store.data.messages.filter(({ boat }) => boat === id);
    return c.json({ items: sent.map(({ to, note }) => ({ to, note })) });
  });
};

/** A boat goes with all that belongs to it alone; its paper stays with the office. */
const withoutBoat = (data: QuayData, id: string): QuayData => {
  const isOthers = ({ boat }: { readonly boat: string }): boolean => boat !== id;
  return {
    ...data,
    boats: data.boats
      .filter((boat) => boat.id !== id)
      .map((boat) => (boat.twin === id ? { ...boat, twin: null } : boat)),
    visits: data.visits.filter(isOthers),
    logs: data.logs.filter(isOthers),
    messages: data.messages.filter(isOthers),
  };
};

const addDelete = (app: Hono, store: Store): void => {
  app.delete("/boats/:id", async (c) => {
    await store.change((data) => {
      const { id } = findBoat(data, c.req.param("id"));
      return { data: withoutBoat(data, id), result: undefined };
    });
    return c.body(null, 204);
  });
};

/** Create and update answer with the boat; ping, send and delete with nothing. */
export const addBoatWrites = (app: Hono, store: Store): void => {
  addCreate(app, store);
  addUpdate(app, store);
  addActions(app, store);
  addDelete(app, store);
};
