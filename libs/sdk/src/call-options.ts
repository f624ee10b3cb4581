/** What can be said of a single call. */
export interface CallOptions {
  /** Ends the call, retries included. */
  readonly signal?: AbortSignal | undefined;
  /** For each try. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one; 0 is none. */
  readonly maxRetries?: number | undefined;
  /** Correlates the calls of one flow: up to 128 visible ASCII characters. */
  readonly flowId?: string | undefined;
}

/** Of a call that creates or publishes. */
export interface OnceOptions extends CallOptions {
  /** Your own; otherwise each call makes one, and its retries share it. With the same one a repeat from another process is safe as well. */
  readonly idempotencyKey?: string | undefined;
}

/** Of an edit. */
export interface EditOptions extends CallOptions {
  /** Edit only if the resource is still what you read: the object that the client returned, or its ETag. Otherwise the error is precondition_failed. */
  readonly ifMatch?: object | string | undefined;
}

/** Of a call that publishes, schedules or reviews a resource. */
export type ActOptions = OnceOptions & EditOptions;
