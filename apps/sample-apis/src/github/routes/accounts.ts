import { type Api, accountOf, foundIn } from "../http/api.ts";
import { notFound } from "../http/api-error.ts";
import { answerPage } from "../http/paging.ts";
import { fullName } from "../data/repository.ts";
import {
  organisation,
  simpleAccount,
  simpleOrganisation,
  wholeAccount,
  wholeTeam,
  wireTeam,
} from "../wire/account.ts";
import { wireRepository } from "../wire/repository.ts";

const isOrg = ({ type }: { readonly type: string }): boolean => type === "Organization";

function addTeams(api: Api): void {
  const { app, data, origin } = api;
  const teamOf = (org: string, slug: string) =>
    foundIn(data.teams, (team) => team.org === org && team.slug === slug);
  app.get("/orgs/:org/teams", (c) => {
    const { login } = accountOf(data, c.req.param("org"));
    const rows = data.teams.filter(({ org }) => org === login);
    return answerPage(c, origin(), rows, (team) => wireTeam(api, team));
  });
  app.get("/orgs/:org/teams/:slug", (c) => {
    const { org, slug } = c.req.param();
    return c.json(wholeTeam(api, teamOf(org, slug), accountOf(data, org)));
  });
  app.get("/orgs/:org/teams/:slug/members", (c) => {
    const { org, slug } = c.req.param();
    return answerPage(
      c,
      origin(),
      teamOf(org, slug).members,
      (login) => simpleAccount(api, login) ?? {},
    );
  });
  app.get("/orgs/:org/teams/:slug/repos", (c) => {
    const { org, slug } = c.req.param();
    const { repositories } = teamOf(org, slug);
    const rows = data.repositories.filter((each) => repositories.includes(fullName(each)));
    return answerPage(c, origin(), rows, (each) => wireRepository(api, each));
  });
}

function addOrganisations(api: Api): void {
  const { app, data, origin } = api;
  app.get("/orgs/:org", (c) => {
    const account = accountOf(data, c.req.param("org"));
    if (!isOrg(account)) throw notFound();
    return c.json(organisation(api, account));
  });
  app.get("/orgs/:org/members", (c) => {
    const { members } = accountOf(data, c.req.param("org"));
    return answerPage(c, origin(), members, (login) => simpleAccount(api, login) ?? {});
  });
  const listOf = (login: string) =>
    data.accounts.filter((each) => isOrg(each) && each.members.includes(login));
  app.get("/user/orgs", (c) =>
    answerPage(c, origin(), listOf(c.get("login")), (each) => simpleOrganisation(api, each)),
  );
  app.get("/users/:login/orgs", (c) =>
    answerPage(c, origin(), listOf(c.req.param("login")), (each) => simpleOrganisation(api, each)),
  );
}

/** People, organisations and teams. */
export function addAccounts(api: Api): void {
  const { app, data } = api;
  app.get("/user", (c) => {
    const account = accountOf(data, c.get("login"));
    return c.json({ ...wholeAccount(api, account), two_factor_authentication: true });
  });
  app.get("/users/:login", (c) => c.json(wholeAccount(api, accountOf(data, c.req.param("login")))));
  addOrganisations(api);
  addTeams(api);
}
