const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML shows it: names of catalogs and what servers say are data. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? "");

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  // No scripts, no other places, no frames: the page asks for a key.
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  // The address opens the link: no other place is told of it. Its own form says where it comes from.
  "referrer-policy": "same-origin",
};

/** A page for a person, with one text and perhaps a form. */
export function page(status: number, text: string, form = ""): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plasm</title><p>${escaped(text)}</p>${form}</html>\n`;
  return new Response(html, { status, headers: HEADERS });
}

/** The form that begins a sign-in to what is named; it asks for the person's key where the server knows people by keys. */
export function beginPage(name: string, subject: string, asksKey: boolean): Response {
  const field = asksKey
    ? `<p><label>Your key or token for this server: <input type="password" name="key" autocomplete="off" required></label></p>`
    : "";
  const form = `<form method="post">${field}<button>Sign in</button></form>`;
  const who = asksKey ? ` as ${subject}` : "";
  return page(
    200,
    `An agent asks to use ${name}${who}. Sign in to it only if you asked for that.`,
    form,
  );
}

/** Leads back to a link that is good still. */
export const againForm = (path: string, name = "Try again"): string =>
  `<form method="get" action="${escaped(path)}"><button>${escaped(name)}</button></form>`;

/** Leads the browser on; `cookie` is what it holds until it comes back, null where it does not. */
export const redirectTo = (url: string, cookie: string | null): Response =>
  new Response(null, {
    status: 303,
    headers: {
      location: url,
      ...(cookie === null ? {} : { "set-cookie": cookie }),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
