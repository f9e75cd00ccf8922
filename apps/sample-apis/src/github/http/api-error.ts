export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 422;

/** One fault of a request, as GitHub words it. */
export interface Fault {
  readonly resource: string;
  readonly field: string;
  readonly code:
    | "missing"
    | "missing_field"
    | "invalid"
    | "already_exists"
    | "unprocessable"
    | "custom";
  readonly value?: unknown;
  readonly message?: string;
}

/** An answer other than the one asked for, in GitHub's form. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ErrorStatus;
  readonly faults: readonly Fault[];

  constructor(status: ErrorStatus, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.status = status;
    this.faults = faults;
  }

  toResponse(): Response {
    const { message, faults, status } = this;
    const body = {
      message,
      ...(faults.length === 0 ? {} : { errors: faults }),
      documentation_url: "https://docs.github.com/rest",
    };
    return Response.json(body, { status });
  }
}

/** What GitHub says of what is not there, and of what the caller may not see. */
export const notFound = (): ApiError => new ApiError(404, "Not Found");

export const invalid = (...faults: readonly Fault[]): ApiError =>
  new ApiError(422, "Validation Failed", faults);
