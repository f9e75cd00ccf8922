import type fc from "fast-check";

type Holds = fc.IRawProperty<unknown, boolean>;

/** Something that holds of all inputs, tried a few times by a test and very often by `pnpm prove`. */
export interface Property {
  /** unique; up to the first hyphen it is the id of the acceptance list, if that has one: `P14-facts` */
  readonly key: string;
  /** what holds, one sentence without a full stop */
  readonly says: string;
  /** how often a test tries it */
  readonly runs: number;
  /** whether it needs servers, and so is tried less often */
  readonly served: boolean;
  open(): Promise<OpenProperty>;
  /** tries many drawn inputs in one go, where trying each by itself is mostly waiting; the same of one seed */
  readonly tryMany?: (runs: number, seed: number) => Promise<ManyTried>;
}

/** What trying many inputs came to. */
export interface ManyTried {
  readonly runs: number;
  /** an input of which the property does not hold, and why */
  readonly failure: string | null;
}

/** A property with what it needs running. */
export interface OpenProperty {
  readonly holds: Holds;
  close(): Promise<void>;
}

/** What a property is made of; sync and async properties of any inputs are `holds`. */
export interface PropertyParts<Inputs> {
  readonly key: string;
  readonly says: string;
  readonly runs: number;
  holds(): fc.IProperty<Inputs> | fc.IAsyncProperty<Inputs>;
}

const nothing = (): Promise<void> => Promise.resolve();

/** A property that computes only. */
export function pureProperty<Inputs>({ holds, ...parts }: PropertyParts<Inputs>): Property {
  const open = () => Promise.resolve({ holds: holds() as Holds, close: nothing });
  return Object.freeze({ ...parts, served: false, open });
}

/** A property of something that has to be started first, and ended. */
export function servedProperty<Inputs, World>(
  parts: Omit<PropertyParts<Inputs>, "holds"> & {
    start(): Promise<World>;
    end(world: World): Promise<void>;
    holds(world: World): fc.IAsyncProperty<Inputs>;
  },
): Property {
  const { start, end, holds, ...rest } = parts;
  const open = async (): Promise<OpenProperty> => {
    const world = await start();
    return { holds: holds(world) as Holds, close: () => end(world) };
  };
  return Object.freeze({ ...rest, served: true, open });
}
