/** How MongoDB and Kafka are had: at addresses given in the environment, as containers, or as processes of this machine. */
export type Provider = 'given' | 'docker' | 'native';

export interface Infra {
  readonly mongoUrl: string;
  readonly kafkaBrokers: string[];
  /** `given` when nothing had to be started. */
  readonly how: Provider;
  /** Stops what was started, in order, and waits for it; removes its data if it was not to be kept. May be called twice. */
  stop(): Promise<void>;
}

export interface InfraOptions {
  /** Data and logs live below it. Data of a run that keeps it is found again by the next such run. */
  readonly dataDir: string;
  /** Where native programs are installed, once for all clones. Default: `fanfare` in the user's cache directory. */
  readonly cacheDir?: string;
  /** Takes this one or fails. Default: given, else docker, else native. */
  readonly provider?: Provider;
  /** false: data is thrown away at the end, and several such runs may share a data directory. */
  readonly keepData: boolean;
  /** true: begins without the data that an earlier run kept. Databases at a given address are left alone. */
  readonly fresh?: boolean;
  /** Default: with data kept FANFARE_MONGO_PORT and FANFARE_KAFKA_PORT, else 27117 and 19192; without, any free ports. */
  readonly ports?: { readonly mongo?: number; readonly kafka?: number };
  /** With data kept: is added to both ports where they are not set by themselves. Default: 0. */
  readonly portOffset?: number;
  onProgress(line: string): void;
}

/** What a provider has to start, and where. */
export interface Wanted {
  /** Undefined: not wanted, an address was given. */
  readonly mongoPort: number | undefined;
  readonly kafkaPort: number | undefined;
  /** Of this run, or shared by all runs that keep data. */
  readonly runDir: string;
  readonly cacheDir: string;
  readonly keepData: boolean;
  readonly fresh: boolean;
  onProgress(line: string): void;
}

/** What a provider started. */
export interface Started {
  stop(): Promise<void>;
}

/** This provider cannot serve on this machine (the message says why, a line for each reason); another may. Every other error ends the search. */
export class CannotServe extends Error {}
