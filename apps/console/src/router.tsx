import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const BASE = "/console";

/** Where one is: the parts of the path below /console, and the query. */
export interface Place {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

function placeNow(): Place {
  const path = location.pathname.slice(BASE.length);
  const parts = path.split("/").filter((part) => part !== "");
  return { parts: parts.map(decoded), query: new URLSearchParams(location.search) };
}

/** Where one is, as {@link go} takes it. */
export const placeText = (): string =>
  (location.pathname.slice(BASE.length) || "/") + location.search;

const MOVED = "plasm-moved";

/** Goes to another page of the console. */
export function go(to: string, how: "push" | "replace" = "push"): void {
  const url = `${BASE}${to}`;
  if (how === "push") history.pushState(null, "", url);
  else history.replaceState(null, "", url);
  window.dispatchEvent(new Event(MOVED));
}

export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const moved = () => setPlace(placeNow());
    window.addEventListener(MOVED, moved);
    window.addEventListener("popstate", moved);
    return () => {
      window.removeEventListener(MOVED, moved);
      window.removeEventListener("popstate", moved);
    };
  }, []);
  return place;
}

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly current?: boolean;
}

export function Link({ to, children, class: name, current = false }: LinkProps) {
  return (
    <a
      href={`${BASE}${to}`}
      class={name}
      aria-current={current ? "page" : undefined}
      onClick={(event) => {
        // Whoever asks for another tab gets one.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
