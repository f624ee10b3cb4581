/** How MongoDB and Kafka are provided: at addresses in the environment, as containers, or as processes of this machine. */
export type Provider = 'given' | 'docker' | 'native';

export interface Infra {
  readonly mongoUrl: string;
  readonly kafkaBrokers: string[];
  /** `given` if nothing had to be started. */
  readonly how: Provider;
  /** Stops what was started, in order, and waits for it; removes its data unless it is to be kept. Can be called twice. */
  stop(): Promise<void>;
}

export interface InfraOptions {
  /** The folder of data and logs. Data that is kept is used again by the next run that keeps data. */
  readonly dataDir: string;
  /** Where native programs are installed, once for all clones. Default: `fanfare` in the user's cache directory. */
  readonly cacheDir?: string;
  /** Uses this way or fails. Default: given, else docker, else native. */
  readonly provider?: Provider;
  /** false: data is deleted at the end, and several such runs can share a data directory. */
  readonly keepData: boolean;
  /** true: starts without the data that an earlier run kept. Databases at a given address are not touched. */
  readonly fresh?: boolean;
  /** Default: if data is kept, FANFARE_MONGO_PORT and FANFARE_KAFKA_PORT, else 27117 and 19192; otherwise any free ports. */
  readonly ports?: { readonly mongo?: number; readonly kafka?: number };
  /** If data is kept: is added to both ports, unless they are set explicitly. Default: 0. */
  readonly portOffset?: number;
  onProgress(line: string): void;
}

/** What a provider has to start, and where. */
export interface Wanted {
  /** Undefined: not needed, because an address was given. */
  readonly mongoPort: number | undefined;
  readonly kafkaPort: number | undefined;
  /** The folder of this run, or the one that all runs that keep data share. */
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

/** This provider cannot be used on this machine (the message has a line for each reason); another one may. Every other error ends the search. */
export class CannotServe extends Error {}
