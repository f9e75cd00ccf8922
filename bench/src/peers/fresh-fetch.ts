/**
 * A fetch that keeps no connection: servers here share a process that is busy for seconds at times, and
 * would close an idle connection at the moment when it is used again.
 */
export const freshFetch: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("connection", "close");
  return fetch(input, { ...init, headers });
};
