import type { Tools } from '@fanfare/media-tools';
import type { Probe } from '../probing/probe-media.ts';
import type { Made, MakeOrder } from '../derivatives/make.ts';

/** A job of a worker. All files are on the local disk. */
export type Job =
  | { readonly kind: 'probe'; readonly file: string }
  | { readonly kind: 'make'; readonly order: MakeOrder }
  | { readonly kind: 'speech'; readonly file: string; readonly mimeType: string; readonly output: string };

/** The result of each kind of job. */
export interface Results {
  readonly probe: Probe;
  readonly make: Made;
  readonly speech: null;
}

/** The outcome of a job: its result, the error detail for the client, or an internal error. */
export type Outcome = { readonly result: Results[Job['kind']] } | { readonly rejected: string } | { readonly error: string };

/** The settings with which a worker is started. */
export interface WorkerSettings {
  readonly tools: Tools;
  /** The command prefix that limits the process. */
  readonly launcher: readonly string[];
  /** For `os.setPriority`. */
  readonly priority: number;
  readonly env: Readonly<Record<string, string>>;
}
