import { setTimeout as wait } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { SignInSetting } from "@plasm/runtime";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { openBrowser } from "../server/open-browser.ts";
import { openLoopbackAddress, type Taken } from "../server/loopback-answer.ts";
import { appended, withOwnerOptions } from "./options.ts";
import {
  catalogIdOf,
  changer,
  credentialsOf,
  nameOfKey,
  ownerOf,
  type OwnerOptions,
  type StoredIn,
  withFiles,
} from "./stored-credentials.ts";

interface CatalogOptions extends OwnerOptions {
  readonly data?: string;
  readonly catalogs: readonly string[];
}

interface LoginOptions extends CatalogOptions {
  readonly scope?: readonly string[];
  readonly device?: boolean;
  readonly browser: boolean;
  readonly port?: number;
}

/** How long a person has to consent. */
const PATIENCE_MS = 10 * 60_000;

/** What signing in fails with, by its name: other commands do not load the runtime. */
const isForPeople = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && ["SignInError", "HostStartError"].includes(thrown.name);

/** Does work of a sign-in; why it failed is told to the person. */
async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw isForPeople(thrown) ? failedError(thrown.message, thrown) : thrown;
  }
}

/** Ends with the sign-in: when the person stops the command, or nobody has come back in time. */
function patience(cli: CliContext): { readonly signal: AbortSignal; end(): void } {
  const stopped = new AbortController();
  const giveUp = (why: string) => () => stopped.abort(failedError(`${why} Nothing was connected.`));
  const timer = setTimeout(giveUp("Nobody came back within ten minutes."), PATIENCE_MS);
  const unhear = cli.onStop(giveUp("The sign-in was stopped."));
  return {
    signal: stopped.signal,
    end() {
      clearTimeout(timer);
      unhear();
    },
  };
}

/** What a person signs in to: the account, where one is named. */
const nameOfLogin = (entryId: string, account: string | undefined): string =>
  account === undefined ? entryId : `${entryId} account ${account}`;

async function byBrowser(
  cli: CliContext,
  entryId: string,
  setting: SignInSetting,
  { scope, port = 0, browser, account }: LoginOptions,
  keep: (envelope: string) => Promise<void>,
): Promise<void> {
  const { beginSignIn, finishSignIn, isAnswerTo } = await import("@plasm/runtime");
  const place = await openLoopbackAddress(port).catch((thrown: unknown) => {
    throw failedError(`Port ${port} of 127.0.0.1 cannot be listened on.`, thrown);
  });
  const { signal, end } = patience(cli);
  try {
    const { url, pending } = await beginSignIn(setting, place.redirectUri, {
      scopes: scope,
      choosesAccount: account !== undefined,
    });
    const name = nameOfLogin(entryId, account);
    cli.remark(`Sign in to ${name} at:\n${url}`);
    if (browser && cli.attended) openBrowser(url);
    await place.answer(async (query): Promise<Taken<null>> => {
      // Anybody on this machine can send something here: only what has the state of this sign-in ends it.
      if (!isAnswerTo(pending, query)) {
        const page = "This answer does not belong to the sign-in under way. Nothing was connected.";
        return { status: 400, page };
      }
      try {
        await keep(await finishSignIn(setting, pending, query));
        const page = `You are signed in to ${name}. This page can be closed.`;
        return { status: 200, page, result: { value: null } };
      } catch (error) {
        const page = isForPeople(error) ? error.message : "Something went wrong.";
        return { status: 400, page, result: { error } };
      }
    }, signal);
  } finally {
    end();
    await place.close();
  }
}

async function byCode(
  cli: CliContext,
  entryId: string,
  setting: SignInSetting,
  { scope, account }: LoginOptions,
  keep: (envelope: string) => Promise<void>,
): Promise<void> {
  const { beginDeviceSignIn } = await import("@plasm/runtime");
  const { url, wholeUrl, code, wait: consent } = await beginDeviceSignIn(setting, scope);
  const whole = wholeUrl === null ? "" : `\nor open ${wholeUrl}`;
  cli.remark(
    `To sign in to ${nameOfLogin(entryId, account)}, open ${url} on any device and enter ${code}${whole}`,
  );
  const { signal, end } = patience(cli);
  try {
    await keep(await consent((ms) => wait(ms, undefined, { signal })));
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown;
  } finally {
    end();
  }
}

/** The catalog, as a server with the same options has it. */
async function settingOf(
  cli: CliContext,
  entryId: string,
  { dataDir, env }: StoredIn,
  { catalogs }: CatalogOptions,
): Promise<SignInSetting> {
  if (catalogs.length === 0) {
    throw usageError(
      `Name the directory of the catalog ${entryId}, as for plasm serve: --catalogs DIRECTORY.`,
    );
  }
  const { catalogPath } = await import("@plasm/runtime");
  const { signInSetting } = await import("@plasm/host");
  const paths = catalogs.map((one) => catalogPath(one, cli.cwd));
  return signInSetting({ dataDir, catalogs: paths, env }, entryId);
}

function entryIdOf(name: string): string {
  const entryId = catalogIdOf(name);
  if (entryId !== null) return entryId;
  throw usageError("Give the id of a catalog: a hosted key does not say how people sign in.");
}

async function login(cli: CliContext, name: string, options: LoginOptions): Promise<void> {
  const entryId = entryIdOf(name);
  const owner = ownerOf(name, "secret", options);
  const stored = await credentialsOf(cli, options.data);
  // Nobody is asked for a consent whose token could not be kept.
  await withFiles(stored, () => stored.files.prepare());
  const keep = (envelope: string): Promise<void> =>
    withFiles(stored, () => stored.files.set(owner, envelope, "set", changer()));
  await telling(async () => {
    const setting = await settingOf(cli, entryId, stored, options);
    return options.device === true
      ? byCode(cli, entryId, setting, options, keep)
      : byBrowser(cli, entryId, setting, options, keep);
  });
  cli.out(`${nameOfKey(owner.key)} is connected; servers on ${stored.dataDir} use it at once.`);
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError("It is not a port from 1 to 65535.");
}

const withCatalogs = (command: Command): Command =>
  withOwnerOptions(command).option(
    "--catalogs <directory>",
    "a catalog, or a directory of catalogs, as for plasm serve; may be given several times",
    appended,
    [],
  );

/** `plasm auth login`: a person consents, and no token passes through anybody's hands (RUN-127). */
export function addAuthLogin(auth: Command, cli: CliContext): void {
  withCatalogs(
    auth
      .command("login")
      .description("Sign in to the API of a catalog, and store the tokens.")
      .argument("<id>", "the catalog's id"),
  )
    .option("--scope <scopes...>", "scopes to ask for, in place of those that the catalog names")
    .option("--device", "print a code to enter on another device, in place of an address")
    .option("--no-browser", "print the address, and open no browser")
    .option("--port <port>", "port of 127.0.0.1 that the browser comes back to", portNumber)
    .addHelpText("after", "\nExample:\n  $ plasm auth login CATALOG --catalogs catalogs")
    .action((name: string, options: LoginOptions) => login(cli, name, options));
}

async function revoke(cli: CliContext, name: string, options: CatalogOptions): Promise<void> {
  const entryId = entryIdOf(name);
  const owner = ownerOf(name, "secret", options);
  const stored = await credentialsOf(cli, options.data);
  const { isEnvelope, revokeEnvelope } = await import("@plasm/runtime");
  const end = async (value: string): Promise<{ readonly revoked: boolean }> => ({
    revoked:
      isEnvelope(value) &&
      (await telling(async () =>
        revokeEnvelope(await settingOf(cli, entryId, stored, options), value),
      )),
  });
  const done = await withFiles(stored, () => stored.files.revoke(owner, changer(), end));
  if (done === null) {
    throw failedError(
      `No credential for ${nameOfKey(owner.key)} is stored in ${stored.dataDir}. plasm auth list shows them.`,
    );
  }
  const what = done.revoked
    ? "is revoked, and removed"
    : "cannot be revoked by plasm, and is only removed";
  cli.out(`The credential for ${nameOfKey(owner.key)} ${what} from ${stored.dataDir}.`);
}

/** `plasm auth revoke`: ends a token at its server, where that has an endpoint for it, and forgets it. */
export function addAuthRevoke(auth: Command, cli: CliContext): void {
  withCatalogs(
    auth
      .command("revoke")
      .description("End the tokens of a catalog at their server, and forget them.")
      .argument("<id>", "the catalog's id"),
  )
    .addHelpText("after", "\nExample:\n  $ plasm auth revoke CATALOG --catalogs catalogs")
    .action((name: string, options: CatalogOptions) => revoke(cli, name, options));
}
