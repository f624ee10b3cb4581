/** Meta's Graph API, used by the Facebook and the Instagram connector. A version lives for about two years. */
export const GRAPH_VERSION = 'v25.0';
export const GRAPH_URL = `https://graph.facebook.com/${GRAPH_VERSION}`;
export const DIALOG_URL = `https://www.facebook.com/${GRAPH_VERSION}/dialog/oauth`;

export const GRAPH_HOSTS = ['graph.facebook.com', 'rupload.facebook.com'] as const;

/** The same API for Instagram Login. Its token endpoints have no version. */
export const INSTAGRAM_HOST_URL = 'https://graph.instagram.com';
export const INSTAGRAM_GRAPH_URL = `${INSTAGRAM_HOST_URL}/${GRAPH_VERSION}`;

/** Facebook pages per response, and the maximum number of responses that we follow. */
export const PAGE_SIZE = 100;
export const MAX_PAGES = 20;

const HOUR_MS = 3_600_000;
/** How long to wait after "temporarily blocked" and "posting too fast". */
export const BLOCKED_DELAY_MS = 24 * HOUR_MS;
/** The longest window of the Graph API, if the response does not say. */
export const WINDOW_MS = HOUR_MS;
