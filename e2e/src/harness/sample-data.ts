import type { SampleApis } from "@plasm/sample-apis";

export interface ListedBoat {
  readonly id: string;
  readonly name: string;
  readonly owner: string | null;
  readonly length: number | string | null;
  readonly state: string | null;
  readonly built: string | null;
}

export interface PersonRow {
  readonly login: string;
  readonly name: string;
  readonly boats: number;
}

export interface VisitRow {
  readonly boat: string;
  readonly day: string;
  readonly fee: number | string | null;
}

export interface YardBoat {
  readonly id: number;
  readonly dock: string | null;
}

/** What the sample APIs say when asked directly: what programs must agree with. */
export interface SampleData {
  readonly boats: readonly ListedBoat[];
  readonly people: readonly PersonRow[];
  /** visits of b1 */
  readonly visits: readonly VisitRow[];
  readonly yardBoats: readonly YardBoat[];
}

const json = async <T>(url: string): Promise<T> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
};

/** Asks for everything with pages of 100, and forgets that it asked. */
export async function sampleData({ quay, yard, forgetRequests }: SampleApis): Promise<SampleData> {
  const [boats, people, visits, yardBoats] = await Promise.all([
    json<{ items: ListedBoat[]; total: number }>(`${quay.url}/boats?per_page=100`),
    json<{ items: PersonRow[]; total: number }>(`${quay.url}/people?per_page=100`),
    json<{ visits: VisitRow[]; total: number }>(`${quay.url}/boats/b1/visits?limit=100`),
    json<{ boats: YardBoat[]; next: string | null }>(`${yard.url}/boats?limit=100`),
  ]);
  const whole =
    boats.items.length === boats.total &&
    people.items.length === people.total &&
    visits.visits.length === visits.total &&
    yardBoats.next === null;
  if (!whole) throw new Error("The sample APIs hold more than a page of 100");
  forgetRequests();
  return {
    boats: boats.items,
    people: people.items,
    visits: visits.visits,
    yardBoats: yardBoats.boats,
  };
}

/** Metres as a number, for comparing; null stays. */
export const metres = ({ length }: ListedBoat): number | null =>
  length === null ? null : Number(length);
