import type { SignedIn } from "../api.ts";
import type { Place } from "../router.tsx";

/** What each page gets: who looks at it, and where in it. */
export interface PageProps {
  readonly who: SignedIn;
  readonly place: Place;
}
