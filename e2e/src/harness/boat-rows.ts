/** A program that reads all boats, as a text that is imported. */
export const READS_BOATS =
  ";; name: boats\n;; description: x\n;; parameters:\n;; shared: yes\n;; entities: quay.Boat\n\nBoat[id, state]\n";

/** A boat as quay's API answers it. */
export const boatRow = (id: string, state = "moored") => ({
  id,
  name: `Boat ${id}`,
  state,
  length: "10.5",
  built: "2011-04-02",
  note: "",
  flags: [],
  owner: "ann",
});
