import { ThemeSwitch } from "@plasm/console";
import { useEffect, useState } from "preact/hooks";
import { DocumentPage } from "./document/document-page.tsx";
import { Tour } from "./tour/tour.tsx";

const PAGES = [
  { place: "tour", name: "Tour" },
  { place: "document", name: "Your document" },
] as const;

type Place = (typeof PAGES)[number]["place"];

const placeNow = (): Place => (location.hash === "#document" ? "document" : "tour");

/** The playground: both of its pages are kept while one is looked at (SURF-57). */
export function Playground() {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const onMove = () => setPlace(placeNow());
    window.addEventListener("hashchange", onMove);
    return () => window.removeEventListener("hashchange", onMove);
  }, []);
  return (
    <>
      <header class="playground-head">
        <span class="brand">
          <span aria-hidden="true" class="mark" />
          Plasm playground
        </span>
        <nav aria-label="Pages">
          <ul class="row">
            {PAGES.map(({ place: to, name }) => (
              <li key={to}>
                <a href={`#${to}`} aria-current={to === place ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeSwitch />
      </header>
      <main>
        <div class="page-head">
          <div>
            <h1>
              {place === "tour" ? "What an agent does with an API" : "Your API, in this page"}
            </h1>
            <p class="lead">
              Everything here happens in this page: the engine, the APIs and their data. Nothing is
              sent anywhere, and nothing is kept when you leave.
            </p>
          </div>
        </div>
        <div class="stack" hidden={place !== "tour"}>
          <Tour />
        </div>
        <div class="stack" hidden={place !== "document"}>
          <DocumentPage />
        </div>
      </main>
    </>
  );
}
