/** Meta's Graph API, of which the Facebook and the Instagram connector are two users. A version lives for about two years. */
export const GRAPH_VERSION = 'v25.0';
export const GRAPH_URL = `https://graph.facebook.com/${GRAPH_VERSION}`;
export const DIALOG_URL = `https://www.facebook.com/${GRAPH_VERSION}/dialog/oauth`;

export const GRAPH_HOSTS = ['graph.facebook.com', 'rupload.facebook.com'] as const;

/** The same API for those who signed in at Instagram. Its tokens are asked for and refreshed beside the versions. */
export const INSTAGRAM_HOST_URL = 'https://graph.instagram.com';
export const INSTAGRAM_GRAPH_URL = `${INSTAGRAM_HOST_URL}/${GRAPH_VERSION}`;

/** Pages of a list that we ask for at once, and the most lists of pages that we follow. */
export const PAGE_SIZE = 100;
export const MAX_PAGES = 20;

const HOUR_MS = 3_600_000;
/** How long to keep still after "temporarily blocked" and "posting too fast". */
export const BLOCKED_PAUSE_MS = 24 * HOUR_MS;
/** How long a window of the Graph API is at most, when it does not say. */
export const WINDOW_MS = HOUR_MS;
