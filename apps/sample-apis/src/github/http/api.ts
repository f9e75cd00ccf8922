import type { Context, Hono } from "hono";
import type { Account } from "../data/account.ts";
import type { Data } from "../data/data.ts";
import type { Repository } from "../data/repository.ts";
import { notFound } from "./api-error.ts";

/** What a request brings besides itself: whose token it carries. */
export interface Env {
  readonly Variables: { login: string };
}

/** What every group of routes gets. */
export interface Api {
  readonly app: Hono<Env>;
  readonly data: Data;
  /** own origin, once it listens */
  readonly origin: () => string;
  /** now, as GitHub writes instants: whole seconds, UTC */
  readonly now: () => string;
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The caller sees public repositories, their own, and those they work on. */
export function maySee(data: Data, repository: Repository, login: string): boolean {
  if (!repository.private || repository.owner === login) return true;
  if (repository.collaborators.includes(login)) return true;
  return data.accounts.some(
    (each) => each.login === repository.owner && each.members.includes(login),
  );
}

/** The repository that `:owner` and `:repo` of the path name; 404 if there is none to see. */
export function repositoryOf(data: Data, c: Context<Env>): Repository {
  const [owner, name] = [c.req.param("owner") ?? "", c.req.param("repo") ?? ""];
  const found = data.repositories.find((each) => same(each.owner, owner) && same(each.name, name));
  if (found === undefined || !maySee(data, found, c.get("login"))) throw notFound();
  return found;
}

/** 404 unless the caller works on it: GitHub does not tell others that they may not. */
export function writableRepositoryOf(data: Data, c: Context<Env>): Repository {
  const repository = repositoryOf(data, c);
  const login = c.get("login");
  if (repository.owner !== login && !repository.collaborators.includes(login)) throw notFound();
  return repository;
}

export function accountOf(data: Data, login: string): Account {
  const found = data.accounts.find((each) => same(each.login, login));
  if (found === undefined) throw notFound();
  return found;
}

/** The element of that number, id or whatever else identifies it; 404 without. */
export function foundIn<Row>(rows: readonly Row[], is: (row: Row) => boolean): Row {
  const found = rows.find(is);
  if (found === undefined) throw notFound();
  return found;
}
