import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import {
  type ApiProblem,
  type Proof,
  SIGNED_OUT,
  type SignedIn,
  isOfSignIn,
  pageToken,
  signIn,
  signOut,
  whoIsSignedIn,
} from "./api.ts";
import { Approvals } from "./pages/approvals.tsx";
import { AuditLog } from "./pages/audit.tsx";
import { Home } from "./pages/home.tsx";
import { Missing } from "./pages/missing.tsx";
import { Operations } from "./pages/operations.tsx";
import { Sessions } from "./pages/sessions.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { lazyPage } from "./parts/lazy-page.tsx";
import { useLoad } from "./parts/load.ts";
import { asProblem } from "./parts/work.ts";
import type { PageProps } from "./parts/page-props.ts";
import { ThemeSwitch } from "./parts/theme.tsx";
import { ProblemNote } from "./parts/ui.tsx";
import { Link, usePlace } from "./router.tsx";

type Role = keyof SignedIn["roles"];

interface Entry {
  readonly path: string;
  readonly name: string;
  /** one of them is needed */
  readonly roles: readonly Role[];
  readonly page: (props: PageProps) => preact.JSX.Element;
}

const Catalogs = lazyPage("Catalogs", async () => (await import("./pages/catalogs.tsx")).Catalogs);
const Connections = lazyPage(
  "Connections",
  async () => (await import("./pages/connections.tsx")).Connections,
);
const Program = lazyPage("Program", async () => (await import("./pages/program.tsx")).Program);
const SavedPrograms = lazyPage(
  "Saved programs",
  async () => (await import("./pages/saved-programs.tsx")).SavedProgramsPage,
);
const Schedules = lazyPage(
  "Schedules",
  async () => (await import("./pages/schedules.tsx")).SchedulesPage,
);
const Settings = lazyPage("Settings", async () => (await import("./pages/settings.tsx")).Settings);

/** The pages in the order of the navigation. */
const PAGES: readonly Entry[] = [
  { path: "", name: "Home", roles: ["operator", "agent", "admin"], page: Home },
  { path: "approvals", name: "Approvals", roles: ["operator"], page: Approvals },
  { path: "program", name: "Program", roles: ["agent"], page: Program },
  { path: "programs", name: "Saved programs", roles: ["agent", "operator"], page: SavedPrograms },
  { path: "schedules", name: "Schedules", roles: ["agent", "operator"], page: Schedules },
  { path: "sessions", name: "Sessions", roles: ["agent", "operator"], page: Sessions },
  { path: "operations", name: "Operations", roles: ["agent", "operator"], page: Operations },
  { path: "catalogs", name: "Catalogs", roles: ["agent"], page: Catalogs },
  { path: "connections", name: "Connections", roles: ["agent"], page: Connections },
  { path: "audit", name: "Audit", roles: ["operator"], page: AuditLog },
  { path: "settings", name: "Settings", roles: ["operator"], page: Settings },
];

/** How often the number of waiting plans is looked at, ms: somebody who waits is seen within 2 s. */
const LOOK_MS = 2_000;

type State =
  | { readonly kind: "asking" }
  | { readonly kind: "in"; readonly who: SignedIn }
  | { readonly kind: "out"; readonly problem: ApiProblem | null };

const PROOF = /^#(sign-in|signed-in)=([\w-]+)$/;

/** What an address signs in by: a link's secret, or a provider's sign-in. It leaves the address at once, so that no history has it. */
function proofInAddress(): Proof | null {
  const [, kind, secret] = PROOF.exec(location.hash) ?? [];
  if (secret === undefined) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return kind === "sign-in" ? { link: secret } : { provider: secret };
}

function useSession(): readonly [State, (proof: { readonly key: string }) => Promise<void>] {
  const [state, setState] = useState<State>({ kind: "asking" });
  /** the sign-in that is shown, or asked about */
  const shown = useRef<string | null>(null);
  const asked = useRef(0);
  const ask = useCallback(async (who: () => Promise<SignedIn>, isQuiet: boolean) => {
    const turn = (asked.current += 1);
    let next: State;
    try {
      next = { kind: "in", who: await who() };
    } catch (thrown) {
      const problem = asProblem(thrown);
      next = { kind: "out", problem: isQuiet && problem.status === 401 ? null : problem };
    }
    // Of several questions the last one counts, whichever is answered last.
    if (turn !== asked.current) return;
    shown.current = pageToken();
    setState(next);
  }, []);
  useEffect(() => {
    const look = () => {
      shown.current = pageToken();
      // Nothing is decided under a name that is not that of who acts.
      setState({ kind: "asking" });
      void ask(whoIsSignedIn, true);
    };
    const begin = () => {
      const proof = proofInAddress();
      if (proof === null) look();
      else void ask(() => signIn(proof), false);
    };
    begin();
    // A link may be opened in a tab that shows the console already.
    const onLink = () => {
      if (PROOF.test(location.hash)) begin();
    };
    const onStorage = ({ key }: StorageEvent) => {
      if (isOfSignIn(key) && pageToken() !== shown.current) look();
    };
    const onSeen = () => {
      if (document.visibilityState === "visible" && pageToken() !== shown.current) look();
    };
    const out = () => setState((now) => (now.kind === "in" ? { kind: "out", problem: null } : now));
    window.addEventListener("hashchange", onLink);
    window.addEventListener("storage", onStorage);
    document.addEventListener("visibilitychange", onSeen);
    window.addEventListener(SIGNED_OUT, out);
    return () => {
      window.removeEventListener("hashchange", onLink);
      window.removeEventListener("storage", onStorage);
      document.removeEventListener("visibilitychange", onSeen);
      window.removeEventListener(SIGNED_OUT, out);
    };
  }, []);
  const withKey = useCallback(
    (proof: { readonly key: string }) => ask(() => signIn(proof), false),
    [],
  );
  return [state, withKey];
}

export function App() {
  const [state, withKey] = useSession();
  switch (state.kind) {
    case "asking":
      return <p class="dim loading">Loading …</p>;
    case "out":
      return <SignIn problem={state.problem} onKey={withKey} />;
    case "in":
      return <Inside who={state.who} />;
  }
}

function Inside({ who }: { who: SignedIn }) {
  const place = usePlace();
  const [first = ""] = place.parts;
  const pages = PAGES.filter(({ roles }) => roles.some((role) => who.roles[role] !== undefined));
  const entry = pages.find(({ path }) => path === first);
  const isKnown = PAGES.some(({ path }) => path === first);
  const waiting = useLoad<{ readonly total: number }>(
    who.roles.operator === undefined ? null : "/v1/approvals",
    LOOK_MS,
  );
  const count = waiting.data?.total ?? 0;
  const names = Object.entries(who.roles).map(([role, subject]) => `${subject} (${role})`);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <aside>
        <Link to="/" class="brand">
          <span aria-hidden="true" class="mark" />
          Plasm
        </Link>
        <nav aria-label="Pages">
          <ul>
            {pages.map(({ path, name }) => (
              <li key={path}>
                <Link to={`/${path}`} current={path === first}>
                  {name}
                  {path === "approvals" && count > 0 ? (
                    <span class="count">
                      {count}
                      <span class="unseen"> waiting</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <p title={names.join(", ")}>
            {who.tenant === "anonymous" ? "This server" : who.tenant}
            <span class="dim small">{names.join(", ")}</span>
          </p>
          <ThemeSwitch />
          <button type="button" class="plain" onClick={() => void signOut().catch(() => undefined)}>
            Sign out
          </button>
        </div>
      </aside>
      <main id="main" tabIndex={-1}>
        {waiting.problem === null ? null : <ProblemNote problem={waiting.problem} />}
        {entry === undefined ? (
          <Missing isForbidden={isKnown} />
        ) : (
          <entry.page who={who} place={place} />
        )}
      </main>
      <p class="unseen" role="status">
        {count === 0 ? "" : `${count} ${count === 1 ? "plan waits" : "plans wait"} for a decision`}
      </p>
    </div>
  );
}
