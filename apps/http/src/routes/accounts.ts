import { accountBody, shareBody } from "../contract/bodies.ts";
import { readJsonBy } from "../wire/read-by.ts";
import { jsonResponse } from "../wire/responses.ts";
import type { Route } from "./route.ts";

/** What the caller's calls may use, of the catalogs that the caller may use (RUN-186). */
export const accountList: Route = {
  method: "GET",
  path: "/v1/accounts",
  handle: async ({ engine, accounts, caller }) => {
    const rows = await engine.registry(caller);
    const entryIds = rows.map(({ entry_id: entryId }) => entryId);
    return jsonResponse({ catalogs: [...accounts.list(caller, entryIds)] });
  },
};

/** Begins a sign-in in the browser that gets this answer, which is the only one that can end it (RUN-186). */
export const accountSignIn: Route = {
  method: "POST",
  path: "/v1/accounts/sign-in",
  handle: async ({ engine, accounts, caller, request }) => {
    const body = await readJsonBy(accountBody, request, "POST /v1/accounts/sign-in");
    const { entry_id: entryId, account = null } = body;
    // Of a catalog that policy keeps from the caller nobody hears here either.
    await engine.registryEntry(caller, entryId);
    const { url, cookie } = await accounts.signIn(caller, { entryId, account });
    const answer = jsonResponse({ url });
    answer.headers.append("set-cookie", cookie);
    return answer;
  },
};

/** Says who may use an account of the caller's, beside the caller (RUN-184). */
export const accountShare: Route = {
  method: "POST",
  path: "/v1/accounts/share",
  handle: async ({ accounts, caller, request }) => {
    const body = await readJsonBy(shareBody, request, "POST /v1/accounts/share");
    const { entry_id: entryId, account, users } = body;
    return jsonResponse(await accounts.share(caller, { entryId, account }, users));
  },
};

/** Ends the tokens of an account of the caller's, where its provider can, and forgets them. */
export const accountRevoke: Route = {
  method: "POST",
  path: "/v1/accounts/revoke",
  handle: async ({ accounts, caller, request }) => {
    const body = await readJsonBy(accountBody, request, "POST /v1/accounts/revoke");
    const { entry_id: entryId, account = null } = body;
    return jsonResponse({ ended: await accounts.revoke(caller, { entryId, account }) });
  },
};
