const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A transcript without what differs from run to run, as docs/transcripts/README.md says. */
export const stable = (text: string, url: string): string =>
  text
    .replaceAll(url, "http://127.0.0.1:3000")
    .replaceAll(UUID, "<uuid>")
    .replaceAll(TIME, "<time>")
    .replaceAll(/"op":\{"n":\d+/g, '"op":{"n":<n>')
    .replaceAll(/[0-9a-f]{64}/g, "<sha256>")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "<id>");
