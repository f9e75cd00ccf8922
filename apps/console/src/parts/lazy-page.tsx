import { useEffect, useState } from "preact/hooks";
import type { PageProps } from "./page-props.ts";
import { Page } from "./ui.tsx";

type PageComponent = (props: PageProps) => preact.JSX.Element;

/** A page whose code is loaded when it is opened for the first time (SURF-44). */
export function lazyPage(title: string, load: () => Promise<PageComponent>): PageComponent {
  let known: PageComponent | null = null;
  return (props) => {
    const [Shown, setShown] = useState<{ readonly of: PageComponent } | null>(
      known === null ? null : { of: known },
    );
    const [isMissing, setMissing] = useState(false);
    const [turn, setTurn] = useState(0);
    useEffect(() => {
      if (Shown !== null) return undefined;
      let isGone = false;
      setMissing(false);
      load().then(
        (of) => {
          known = of;
          if (!isGone) setShown({ of });
        },
        () => {
          if (!isGone) setMissing(true);
        },
      );
      return () => {
        isGone = true;
      };
    }, [turn]);
    if (Shown !== null) return <Shown.of {...props} />;
    if (!isMissing) return <p class="dim loading">Loading …</p>;
    return (
      <Page title={title}>
        <div class="note bad" role="alert">
          <p>
            <strong>This page could not be loaded.</strong>
          </p>
          <p>Look whether plasm serve is running.</p>
          <p>
            <button type="button" onClick={() => setTurn((n) => n + 1)}>
              Try again
            </button>
          </p>
        </div>
      </Page>
    );
  };
}
