import { createRequire } from 'node:module';

/**
 * kafkajs 2.2.4 re-arms a 1 ms timer forever on an idle connection (tulios/kafkajs#1751, #1768): about 4 % of a core for each idle service. Remove
 * this when a version without the bug is used. It throws if the internals that it patches no longer exist.
 */
export function stopIdleTimer(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  const original = prototype.scheduleCheckPendingRequests;
  if (typeof original !== 'function') throw new Error('kafkajs has changed internally: remove kafkajs-idle-timer.ts');
  if (original.name === 'onlyWhenPending') return;
  prototype.scheduleCheckPendingRequests = function onlyWhenPending(this: RequestQueue) {
    const idle = !this.throttleCheckTimeoutId && this.pending.length === 0 && this.throttledUntil <= Date.now();
    return idle ? undefined : original.call(this);
  };
}

interface RequestQueue {
  throttleCheckTimeoutId: unknown;
  pending: unknown[];
  throttledUntil: number;
  scheduleCheckPendingRequests(this: RequestQueue): unknown;
}
