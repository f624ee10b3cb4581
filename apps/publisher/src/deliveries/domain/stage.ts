/** A delivery that begins when the primary one has succeeded. Rows store `held`, which is older than the glossary's term. */
export const WAITING_FOR_PRIMARY = 'held';

/** What a delivery that depends on others waits for or stops at. */
export type Stage = typeof WAITING_FOR_PRIMARY | 'preparing' | 'prepared';
