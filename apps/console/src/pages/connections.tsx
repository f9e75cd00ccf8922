import { useState } from "preact/hooks";
import { ApiProblem, call } from "../api.ts";
import { type Loaded, useLoad } from "../parts/load.ts";
import { useAskedWork } from "../parts/work.ts";
import { Badge, Card, Empty, Page, ProblemNote, Shown, Table, Time } from "../parts/ui.tsx";

interface Account {
  readonly entry_id: string;
  readonly account: string | null;
  readonly changed_at: string;
  readonly whose: "caller" | "tenant" | "everyone";
  readonly may_change: boolean;
  readonly shared: { readonly by: string | null; readonly users: readonly string[] } | null;
}

interface Catalog {
  readonly entry_id: string;
  readonly signs_in: boolean;
  readonly accounts: readonly Account[];
}

type Accounts = Loaded<{ readonly catalogs: readonly Catalog[] }>;

/** What one is connected to: sign in, say who else may use it, and end it. */
export function Connections() {
  const loaded: Accounts = useLoad("/v1/accounts");
  return (
    <Page
      title="Connections"
      lead="Your accounts with APIs. Agents that act for you use these, and no other."
    >
      <Shown of={loaded}>
        {({ catalogs }) =>
          catalogs.length === 0 ? (
            <Empty title="There is nothing to connect to.">
              Catalogs that say how people sign in stand here, and what an operator has stored for
              you with <code>plasm auth</code>.
            </Empty>
          ) : (
            catalogs.map((one) => (
              <OfCatalog key={one.entry_id} of={one} reload={() => loaded.reload()} />
            ))
          )
        }
      </Shown>
    </Page>
  );
}

const nameOf = ({ account }: Account): string => account ?? "the default";

function OfCatalog({ of, reload }: { of: Catalog; reload: () => void }) {
  const { entry_id: entryId, accounts, signs_in: signsIn } = of;
  const { isBusy, problem, run } = useAskedWork();
  const [sharing, setSharing] = useState<string | null>(null);
  const shared = accounts.find(({ account }) => account !== null && account === sharing);
  const revoke = (one: Account) =>
    run(async () => {
      await call("/v1/accounts/revoke", { method: "POST", body: bodyOf(one) });
      reload();
    });
  return (
    <Card title={entryId}>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {accounts.length === 0 ? (
        <p class="dim">You are not connected to it.</p>
      ) : (
        <Table
          label={`Accounts of ${entryId}`}
          head={["Account", "Who may use it", "Since", "Change"]}
        >
          {accounts.map((one) => (
            <tr key={nameOf(one)}>
              <td>
                {one.account === null ? "default" : <code>{one.account}</code>}{" "}
                {one.shared === null ? null : <Badge tone="info">shared</Badge>}
              </td>
              <td>
                <Users of={one} />
              </td>
              <td>
                <Time at={one.changed_at} />
              </td>
              <td>
                {one.may_change ? (
                  <Changes
                    of={one}
                    isBusy={isBusy}
                    onShare={() => setSharing(one.account)}
                    onRevoke={() => void revoke(one)}
                  />
                ) : (
                  <span class="dim">not yours to change</span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {shared === undefined ? null : (
        <Share
          key={nameOf(shared)}
          of={shared}
          onDone={() => {
            setSharing(null);
            reload();
          }}
          onLeave={() => setSharing(null)}
        />
      )}
      {signsIn ? <SignInTo entryId={entryId} isFirst={accounts.length === 0} /> : null}
    </Card>
  );
}

const bodyOf = ({ entry_id, account }: Account): object => ({
  entry_id,
  ...(account === null ? {} : { account }),
});

function Users({ of: { shared, whose } }: { of: Account }) {
  if (shared !== null) {
    const by = shared.by === null ? "" : `, shared by ${shared.by}`;
    return (
      <>
        {shared.users.join(", ") || "nobody"}
        <span class="dim">{by}</span>
      </>
    );
  }
  return (
    <>{whose === "caller" ? "you" : whose === "tenant" ? "all of your tenant" : "everybody"}</>
  );
}

/** Ending an account is asked about once more: agents that use it stop, and only its provider gives it back. */
function Changes({
  of,
  isBusy,
  onShare,
  onRevoke,
}: {
  of: Account;
  isBusy: boolean;
  onShare: () => void;
  onRevoke: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) {
    return (
      <span class="row">
        <button
          type="button"
          class="danger"
          disabled={isBusy}
          onClick={() => {
            setAsked(false);
            onRevoke();
          }}
        >
          Revoke {nameOf(of)} for good
        </button>
        <button type="button" onClick={() => setAsked(false)}>
          Keep it
        </button>
      </span>
    );
  }
  return (
    <span class="row">
      {of.account === null || of.whose === "everyone" ? null : (
        <button type="button" disabled={isBusy} onClick={onShare}>
          Share {nameOf(of)}
        </button>
      )}
      <button type="button" disabled={isBusy} onClick={() => setAsked(true)}>
        Revoke {nameOf(of)}
      </button>
    </span>
  );
}

function Share({ of, onDone, onLeave }: { of: Account; onDone: () => void; onLeave: () => void }) {
  const { isBusy, problem, run } = useAskedWork();
  const others = of.shared?.users.filter((user) => user !== of.shared?.by) ?? [];
  const [text, setText] = useState(others.join("\n"));
  const id = `users-${of.entry_id}`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const users = text
          .split(/[\n,]/)
          .map((user) => user.trim())
          .filter((user) => user !== "");
        void run(async () => {
          await call("/v1/accounts/share", { method: "POST", body: { ...bodyOf(of), users } });
          onDone();
        });
      }}
    >
      {problem === null ? null : <ProblemNote problem={problem} />}
      <label for={id}>Who may use {nameOf(of)} beside you, one name a line</label>
      <textarea
        id={id}
        rows={3}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy}>
          Share with these alone
        </button>
        <button type="button" onClick={onLeave}>
          Leave it
        </button>
      </div>
      <p class="dim small">
        Names as this server knows people. Who is not on the list uses it no longer, and their plans
        with it are void.
      </p>
    </form>
  );
}

/** Leads this browser to the provider, and nobody else's: it holds what the provider's answer needs. */
function SignInTo({ entryId, isFirst }: { entryId: string; isFirst: boolean }) {
  const { isBusy, problem, run } = useAskedWork();
  const [account, setAccount] = useState("");
  const id = `account-${entryId}`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          const label = account.trim();
          const body = { entry_id: entryId, ...(label === "" ? {} : { account: label }) };
          const { url } = await call<{ readonly url: string }>("/v1/accounts/sign-in", {
            method: "POST",
            body,
            isHarmless: true,
          });
          if (!/^https?:/.test(url)) throw new ApiProblem(0, "defect", "This is no address.");
          location.assign(url);
        });
      }}
    >
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div class="row">
        <label for={id}>
          {isFirst ? "Label, if you have several" : "Label of another account"}
        </label>
        <input
          id={id}
          value={account}
          autocomplete="off"
          placeholder="work"
          pattern="[a-z0-9][a-z0-9._\-]{0,31}"
          onInput={({ currentTarget }) => setAccount(currentTarget.value)}
        />
        <button type="submit" class={isFirst ? "primary" : undefined} disabled={isBusy}>
          Sign in to {entryId}
        </button>
      </div>
    </form>
  );
}
