import { notFound } from "../http/api-app.ts";
import type { Boat, Log, QuayData } from "./data.ts";

/** A boat as lists show it: six members, the rest is in the get. */
export const boatInList = ({ id, name, owner, length, state, built }: Boat) => ({
  id,
  name,
  owner,
  length,
  state,
  built,
});

/** A log line, embedded or alone: neither says which boat it belongs to. */
export const logLine = ({ id, text }: Log) => ({ id, text });

/** A boat as the get and the writes answer it, its log included. */
export const boatInFull = (boat: Boat, data: QuayData) => ({
  ...boatInList(boat),
  note: boat.note,
  flags: boat.flags,
  meta: boat.meta,
  papers: boat.papers === null ? null : { id: boat.papers },
  twin: boat.twin,
  pings: boat.pings,
  logs: data.logs.filter((log) => log.boat === boat.id).map(logLine),
});

export const findBoat = (data: QuayData, id: string): Boat => {
  const boat = data.boats.find((candidate) => candidate.id === id);
  if (boat === undefined) throw notFound("boat", id);
  return boat;
};
