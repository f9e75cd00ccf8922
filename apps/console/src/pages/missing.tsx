import { Link } from "../router.tsx";
import { Empty, Page } from "../parts/ui.tsx";

/** What stands at an address that has no page, or none for whoever is signed in. */
export function Missing({ isForbidden }: { readonly isForbidden: boolean }) {
  return (
    <Page title={isForbidden ? "Not for this sign-in" : "No such page"}>
      <Empty
        title={
          isForbidden ? "Your key may not open this page." : "There is nothing at this address."
        }
      >
        {isForbidden
          ? "Plans are decided with the key of an operator, and programs are run with the key of an agent. Sign out, and sign in with another key. "
          : "The link may be old. "}
        <Link to="/">Go to Home</Link>
      </Empty>
    </Page>
  );
}
