/** Stands for BASE_URL in the committed description, and is what BASE_URL is unless it is set. */
export const DESCRIBED_BASE_URL = 'http://127.0.0.1:4400';
