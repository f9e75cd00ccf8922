import { failure, RunFailure } from "@plasm/runtime";

/** Chains by the names their own documentation gives them. */
const CHAINS: Readonly<Record<string, number>> = Object.freeze({
  arbitrum: 42161,
  avalanche: 43114,
  base: 8453,
  blast: 81457,
  bsc: 56,
  celo: 42220,
  ethereum: 1,
  fantom: 250,
  gnosis: 100,
  holesky: 17000,
  hoodi: 560048,
  linea: 59144,
  mainnet: 1,
  mantle: 5000,
  optimism: 10,
  polygon: 137,
  scroll: 534352,
  sepolia: 11155111,
  zksync: 324,
});

/** The id of a chain that a mapping names, as decimal text (MAP-053). Throws RunFailure. */
export function chainId(chain: string | number): string {
  if (typeof chain === "number") return String(chain);
  if (/^\d+$/.test(chain)) return BigInt(chain).toString();
  const name = chain.toLowerCase();
  const id = Object.hasOwn(CHAINS, name) ? CHAINS[name] : undefined;
  if (id !== undefined) return String(id);
  throw new RunFailure(
    failure(
      "argument_invalid",
      `The mapping's chain is ${chain}, which is no known chain.`,
      `correct the mapping: a chain's number, or ${Object.keys(CHAINS).join(", ")}`,
    ),
  );
}
