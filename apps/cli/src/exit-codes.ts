/** What the process ends with (SURF-22). */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  review: 3,
  partial: 4,
  lost: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * The exit code of a problem by its code (SURF-18, SURF-22). An unknown session is a lost one
 * here: the workspace has its address from the server itself.
 */
export function exitOfProblem(code: string): ExitCode {
  switch (code) {
    case "plasm-bad-request":
      return EXIT.usage;
    case "plasm-review-required":
    case "plasm-approval-required":
      return EXIT.review;
    case "plasm-session-lost":
    case "plasm-unknown-session":
      return EXIT.lost;
    default:
      return EXIT.failed;
  }
}
