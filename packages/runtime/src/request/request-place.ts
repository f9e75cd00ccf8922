import type { WireRequest } from "./wire-request.ts";

/** Where a request goes. */
export interface RequestPlace {
  readonly origin: string;
  readonly host: string;
}

const places = new WeakMap<Pick<WireRequest, "url">, RequestPlace>();

/** Where a request goes; all that is done with a request asks, and each is read once. */
export function requestPlace(request: Pick<WireRequest, "url">): RequestPlace {
  const known = places.get(request);
  if (known !== undefined) return known;
  const { origin, host } = new URL(request.url);
  const place = Object.freeze({ origin, host });
  places.set(request, place);
  return place;
}
