/** For how long statistics are stored. 25 months: enough to compare two years, and one more month to look at the result. */
export const KEPT_DAYS = 762;
export const KEPT_SECONDS = KEPT_DAYS * 24 * 3_600;
