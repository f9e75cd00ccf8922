const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A text whose ids are written the same in each run: done before a text is cut, which else may leave half of one. */
export const withoutIds = (text: string): string => text.replaceAll(UUID, "<uuid>");

/** A transcript without what differs from run to run, as docs/transcripts/README.md says. */
export const stable = (text: string, url: string): string =>
  withoutIds(text)
    .replaceAll(url, "http://127.0.0.1:3000")
    .replaceAll(TIME, "<time>")
    .replaceAll(/"op":\{"n":\d+/g, '"op":{"n":<n>')
    .replaceAll(/[0-9a-f]{64}/g, "<sha256>")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "<id>");
