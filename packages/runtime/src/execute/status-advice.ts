const AGAIN = "try again later";

/** Words by which an API says what to do instead of what it refuses. */
const ADVISES = /\b(?:use|call|try|instead|must|should|please|first|before|until|only)\b/iu;

/**
 * What to do about an answer of the API's own trouble: the request itself may be fine. `notDone`: the catalog says that
 * nothing was done where the API answers it.
 */
function serverAdvice(status: number, effect: boolean, notDone: boolean): string {
  if (effect && notDone) return "it was not done; plan this effect again later";
  switch (status) {
    case 501:
      return "this API cannot do it; use another method or condition";
    case 502:
    case 503:
    case 504:
      return AGAIN;
    default:
      return effect
        ? "the API failed by itself: look whether it happened all the same, and plan it again only if not"
        : "the API failed by itself: try once more, and if it stays so tell its operator";
  }
}

/**
 * What to do about a status that is no success, by its class (RUN-150). Of an effect it says what is
 * safe to repeat (ERR-020); one in doubt has a correction of its own. What the API itself advises goes before a guess.
 */
export function statusAdvice(
  status: number | null,
  effect: boolean,
  notDone = false,
  apiText: string | null = null,
): string {
  if (status === null || status < 400) return "check that the backend's address is that of the API";
  if (status >= 500) return serverAdvice(status, effect, notDone);
  switch (status) {
    case 404:
    case 410:
      return "check the keys and references given, or list the rows";
    case 405:
      return "check that the backend's address is that of the API; it does not take this there";
    case 408:
    case 425:
      return effect ? "plan this effect again later" : AGAIN;
    case 409:
    case 412:
    case 423:
      return apiText !== null && ADVISES.test(apiText)
        ? "do what the API says in place of this; sent again as it is, it is refused again"
        : "read the row again, it may have changed, and act on what it is now";
    case 413:
    case 414:
      return "send less: shorter values, or fewer at once";
    default:
      return "check the arguments against what the API says";
  }
}
