import type { Account, Team } from "../data/account.ts";
import type { Api } from "../http/api.ts";

const SITE = "https://github.com";

/** An account as it stands inside other things. */
export function simpleAccount({ data, origin }: Api, login: string): object | null {
  const account = data.accounts.find((each) => each.login === login);
  if (account === undefined) return null;
  const url = `${origin()}/users/${login}`;
  return {
    login,
    id: account.id,
    node_id: `A_${account.id}`,
    avatar_url: `${SITE}/avatars/${account.id}`,
    url,
    html_url: `${SITE}/${login}`,
    repos_url: `${url}/repos`,
    type: account.type,
    site_admin: false,
  };
}

export const simpleAccounts = (api: Api, logins: readonly string[]): readonly (object | null)[] =>
  logins.map((login) => simpleAccount(api, login));

function repositoriesOf({ data }: Api, login: string): number {
  return data.repositories.filter((each) => each.owner === login && !each.private).length;
}

/** A person or an organisation asked for by name. */
export function wholeAccount(api: Api, account: Account): object {
  const { name, company, location, email, bio, createdAt } = account;
  return {
    ...simpleAccount(api, account.login),
    name,
    company,
    blog: "",
    location,
    email,
    hireable: null,
    bio,
    public_repos: repositoriesOf(api, account.login),
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

export function organisation(api: Api, account: Account): object {
  return {
    ...simpleOrganisation(api, account),
    name: account.name,
    company: account.company,
    blog: "",
    location: account.location,
    email: account.email,
    public_repos: repositoriesOf(api, account.login),
    public_gists: 0,
    followers: 0,
    following: 0,
    html_url: `${SITE}/${account.login}`,
    type: account.type,
    created_at: account.createdAt,
    updated_at: account.createdAt,
  };
}

export function simpleOrganisation({ origin }: Api, { login, id, bio }: Account): object {
  return {
    login,
    id,
    node_id: `O_${id}`,
    url: `${origin()}/orgs/${login}`,
    avatar_url: `${SITE}/avatars/${id}`,
    description: bio,
  };
}

export function wireTeam({ data, origin }: Api, team: Team): object {
  const { id, name, slug, description, privacy, org } = team;
  const owner = data.accounts.find(({ login }) => login === org);
  return {
    id,
    node_id: `T_${id}`,
    name,
    slug,
    description,
    privacy,
    notification_setting: "notifications_enabled",
    permission: "pull",
    url: `${origin()}/organizations/${owner?.id ?? 0}/team/${id}`,
    html_url: `${SITE}/orgs/${org}/teams/${slug}`,
    parent: null,
  };
}

/** A team asked for alone. */
export function wholeTeam(api: Api, team: Team, owner: Account): object {
  return {
    ...wireTeam(api, team),
    members_count: team.members.length,
    repos_count: team.repositories.length,
    organization: organisation(api, owner),
  };
}
