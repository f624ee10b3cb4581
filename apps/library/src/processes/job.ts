import type { Tools } from '@fanfare/media-tools';
import type { Probe } from '../probing/probe-media.ts';
import type { Made, MakeOrder } from '../derivatives/make.ts';

/** What a worker is asked to do; every file is on the local disk. */
export type Job =
  | { readonly kind: 'probe'; readonly file: string }
  | { readonly kind: 'make'; readonly order: MakeOrder }
  | { readonly kind: 'speech'; readonly file: string; readonly mimeType: string; readonly output: string };

/** What each kind answers with. */
export interface Results {
  readonly probe: Probe;
  readonly make: Made;
  readonly speech: null;
}

/** What a worker says: a result, what the caller of the API is told, or what went wrong. */
export type Outcome = { readonly result: Results[Job['kind']] } | { readonly rejected: string } | { readonly error: string };

/** What a worker is started with. */
export interface WorkerSettings {
  readonly tools: Tools;
  /** Put before the process itself. */
  readonly launcher: readonly string[];
  /** As `os.setPriority` takes it. */
  readonly priority: number;
  readonly env: Readonly<Record<string, string>>;
}
