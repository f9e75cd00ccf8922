/** What to do where no catalog is on offer, by the directories that were looked into. */
export const howToOffer = (directories: readonly string[]): string =>
  directories.length === 0
    ? "--catalogs DIR or --api DOCUMENT offers some"
    : `nothing in ${directories.join(", ")} is a catalog that loads: a directory with domain.yaml and mappings.yaml`;
