/** For how long events can be read, and the log of their deliveries. */
export const KEPT_MS = 30 * 24 * 3_600_000;
