/** Stands for BASE_URL in the committed description; also the default of BASE_URL. */
export const DESCRIBED_BASE_URL = 'http://127.0.0.1:4400';
