import type { SampleApis } from "@plasm/sample-apis";
import { type Facts, pagesOf } from "./economy-task.ts";

interface Page {
  readonly items: readonly {
    readonly id: string;
    readonly owner: string | null;
    readonly length: number | string | null;
  }[];
  readonly total: number;
}

const ask = async (url: string): Promise<unknown> => (await fetch(url)).json();

/** All boats of the yard, whose pages lead to one another. */
async function countYard(url: string): Promise<number> {
  let count = 0;
  for (let after = ""; ;) {
    const page = (await ask(`${url}/boats?limit=100${after}`)) as {
      readonly boats: readonly unknown[];
      readonly next?: string | null;
    };
    count += page.boats.length;
    if (page.next === undefined || page.next === null) return count;
    after = `&after=${page.next}`;
  }
}

/** Asks the APIs themselves what they hold. */
export async function readFacts({ quay, yard }: SampleApis): Promise<Facts> {
  const list = async (path: string): Promise<Page> => (await ask(quay.url + path)) as Page;
  const first = await list("/boats?page=1");
  const numbers = Array.from({ length: pagesOf(first.total) }, (_none, at) => at + 1);
  const all = await Promise.all(numbers.map((page) => list(`/boats?page=${page}`)));
  const yardBoats = await countYard(yard.url);
  const isInYard = (length: number): boolean =>
    Number.isInteger(length) && length >= 1 && length <= yardBoats;
  const stays = async (id: string): Promise<number> => {
    const path = `/boats/${encodeURIComponent(id)}/visits?limit=100`;
    return ((await ask(quay.url + path)) as { readonly visits: readonly unknown[] }).visits.length;
  };
  const visits = await Promise.all(first.items.map(({ id }) => stays(id)));
  const owners = new Set(first.items.map(({ owner }) => owner).filter((owner) => owner !== null));
  return {
    boats: first.total,
    yardBoats,
    asLong: all.flatMap(({ items }) => items).filter(({ length }) => isInYard(Number(length)))
      .length,
    visits,
    owners: owners.size,
    lost: (await list("/boats?state=lost")).total,
    anns: (await list("/owners/ann/boats")).total,
    stays: await stays("b1"),
  };
}
