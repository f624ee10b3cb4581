import type { CallListener, Platform } from '@fanfare/connectors';
import { platformSlots } from '../metrics.ts';

/** How many deliveries to each platform may run in this process at once: fewer while the platform fails or hangs. */
export interface PlatformLimits {
  of(platform: Platform): number;
  /** Whether it fails or hangs, as far as this process sees. */
  isInTrouble(platform: Platform): boolean;
  /** Called by the platform client. */
  readonly onCall: CallListener;
  /** Called by its circuit breakers. */
  onBreakerChange(platform: Platform, isOpen: boolean): void;
}

/** Enough to notice that the platform has recovered. */
const MIN_SLOTS = 2;
/** A call without a response for this long counts as a failure although it still waits: its timeout comes much later. */
const HANGS_AFTER_MS = 10_000;
/** The same for a transfer of which the platform takes no further piece: a slow network is not the platform's fault. */
const TRANSFER_HANGS_AFTER_MS = 20_000;
/** After this long without a failure the platform counts as healthy, even if it was not called since. */
const FORGET_MS = 60_000;

interface Known {
  limit: number;
  /** How many calls have waited too long for a response. */
  hanging: number;
  failedAt: number;
  isBreakerOpen: boolean;
}

/**
 * Halves the limit of a platform with each call that fails or hangs, and adds one with each that succeeds. A few failures cost little, and a
 * platform that does not respond soon has two slots, while the others use the rest.
 * @param options.most the limit of a healthy platform
 * @param options.deadlineScale shortens the times, for tests
 */
export function createPlatformLimits({ most, deadlineScale }: { most: number; deadlineScale: number }): PlatformLimits {
  const platforms = new Map<Platform, Known>();
  const least = Math.min(MIN_SLOTS, most);

  const knownOf = (platform: Platform): Known => {
    const known = platforms.get(platform) ?? { limit: most, hanging: 0, failedAt: -Infinity, isBreakerOpen: false };
    platforms.set(platform, known);
    const isForgotten = known.hanging === 0 && performance.now() - known.failedAt > FORGET_MS * deadlineScale;
    if (isForgotten && known.limit < most) change(platform, known, most);
    return known;
  };
  const change = (platform: Platform, known: Known, limit: number) => {
    known.limit = Math.min(most, Math.max(least, limit));
    platformSlots.set({ platform }, known.limit);
  };
  const failed = (platform: Platform) => {
    const known = knownOf(platform);
    known.failedAt = performance.now();
    change(platform, known, Math.floor(known.limit / 2));
  };

  return {
    of: (platform) => knownOf(platform).limit,
    isInTrouble(platform) {
      const { limit, isBreakerOpen } = knownOf(platform);
      return isBreakerOpen || limit < most / 4;
    },
    onCall(platform, isTransfer) {
      const known = knownOf(platform);
      let hangs = false;
      const hangsAfterMs = isTransfer ? TRANSFER_HANGS_AFTER_MS : HANGS_AFTER_MS;
      const timer = setTimeout(() => {
        hangs = true;
        known.hanging++;
        failed(platform);
      }, hangsAfterMs * deadlineScale).unref();
      return {
        progress() {
          if (!hangs) timer.refresh();
        },
        end(isHealthy) {
          clearTimeout(timer);
          if (hangs) known.hanging--;
          if (!isHealthy) failed(platform);
          else if (!hangs) change(platform, known, known.limit + 1);
        },
      };
    },
    onBreakerChange(platform, isOpen) {
      knownOf(platform).isBreakerOpen = isOpen;
    },
  };
}
