export type ApiErrorStatus = 400 | 404 | 422;

/** One thing wrong with a request: a parameter or member, and what it must be. */
export interface Complaint {
  readonly field: string;
  readonly message: string;
}

/** An answer other than the one asked for; the body is JSON with `message`, and `errors` on 422. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ApiErrorStatus;
  readonly complaints: readonly Complaint[];

  constructor(status: ApiErrorStatus, message: string, complaints: readonly Complaint[] = []) {
    super(message);
    this.status = status;
    this.complaints = complaints;
  }

  body(): Record<string, unknown> {
    const { message, complaints } = this;
    return complaints.length === 0 ? { message } : { message, errors: complaints };
  }
}

export const notFound = (what: string, key: string): ApiError =>
  new ApiError(404, `there is no ${what} ${key}`);

/** 422 naming every complaint at once, so that one answer is enough to mend the request. */
export const unprocessable = (complaints: readonly Complaint[]): ApiError =>
  new ApiError(
    422,
    complaints.map(({ field, message }) => `${field} ${message}`).join("; "),
    complaints,
  );
