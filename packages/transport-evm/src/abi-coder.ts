import type * as Abi from "ethers/abi";
import { failure, RunFailure } from "@plasm/runtime";

/** The ABI coder that EVM transports use. */
export type AbiCoder = typeof Abi;

let coder: Promise<AbiCoder> | null = null;

/**
 * How much more than an answer holds may be read out of it. Contracts write each part once; an answer whose
 * parts all point to one place would have a few bytes be millions of values.
 */
const MOST_INFLATION = 2;

/** Few catalogs speak to a chain, so that whoever has one installs what reads its contracts. */
async function installed(imported: () => Promise<AbiCoder>): Promise<AbiCoder> {
  try {
    return await imported();
  } catch {
    coder = null;
    throw new RunFailure(
      failure(
        "argument_invalid",
        'Contracts are read with the package "ethers", which is not installed here.',
        "let the operator install it where Node finds it from plasm: npm install ethers@6, or npm install --global ethers@6 beside a global plasm",
      ),
    );
  }
}

async function load(imported: () => Promise<AbiCoder>): Promise<AbiCoder> {
  const coding = await installed(imported);
  coding.AbiCoder._setDefaultMaxInflation(MOST_INFLATION);
  return coding;
}

/** The ABI coder, loaded when it is first needed. Throws RunFailure where it is not installed. */
export function abiCoder(
  imported: () => Promise<AbiCoder> = () => import("ethers/abi"),
): Promise<AbiCoder> {
  coder ??= load(imported);
  return coder;
}

const MOST_KNOWN = 500;
const known = new Map<string, Abi.Interface>();

/** A readable ABI text, read once; the rules of the format have checked it (MAP-051). */
export function abiOf(coding: AbiCoder, text: string): Abi.Interface {
  const found = known.get(text);
  if (found !== undefined) return found;
  const read = new coding.Interface([text]);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, read);
  return read;
}
