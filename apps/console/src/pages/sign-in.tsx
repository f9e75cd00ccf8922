import { useEffect, useState } from "preact/hooks";
import { type ApiProblem, type Provider, providerAddress, providers } from "../api.ts";
import { placeText } from "../router.tsx";
import { ThemeSwitch } from "../parts/theme.tsx";

interface SignInProps {
  readonly problem: ApiProblem | null;
  readonly onKey: (proof: { readonly key: string }) => Promise<void>;
}

/** Leads to a provider, or asks for a key; the address stays, so that one comes back to where one was. */
export function SignIn({ problem, onKey }: SignInProps) {
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [known, setKnown] = useState<readonly Provider[]>([]);
  useEffect(() => {
    document.title = "Sign in · Plasm console";
    // A server that cannot say so now takes keys all the same.
    void providers().then(setKnown, () => undefined);
  }, []);
  return (
    <main class="sign-in">
      <div class="brand">
        <span aria-hidden="true" class="mark" />
        Plasm
      </div>
      <h1>Sign in</h1>
      {known.length > 0 ? null : (
        <p>
          Open the link that <code>plasm serve</code> prints on the terminal where it runs. It signs
          you in once; then the terminal shows the next one.
        </p>
      )}
      {problem === null ? null : (
        <div class="note bad" role="alert">
          <p>
            <strong>{problem.message}</strong>
          </p>
        </div>
      )}
      {known.map((one) => (
        <a key={one.id} class="button primary" href={providerAddress(one, placeText())}>
          Sign in with {one.name}
        </a>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          void onKey({ key }).finally(() => setBusy(false));
        }}
      >
        <label for="key">Or sign in with a key of this server</label>
        <div class="row">
          <input
            id="key"
            type="password"
            autocomplete="off"
            required
            value={key}
            placeholder="plasm_…"
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={isBusy}>
            Sign in
          </button>
        </div>
        <p class="dim small">
          An operator's key decides on plans, an agent's key runs programs.{" "}
          <code>plasm keys add --subject NAME</code> makes one for an operator.
        </p>
      </form>
      <ThemeSwitch />
    </main>
  );
}
