const KiB = 1024;

/** YouTube Data API v3, from its discovery document, guides and quota page. */
export const limits = {
  titleCharacters: 100,
  descriptionBytes: 5_000,
  tagCharacters: 500,
  commentCharacters: 10_000,
  fileBytes: 256 * KiB ** 3,
  /** Every part except the last is a multiple of this. */
  chunkBytes: 256 * KiB,
  sessionMs: 7 * 24 * 3600_000,
  videoMs: 12 * 3600_000,
  idsPerList: 50,
  /** Maximum of one report. */
  idsPerFilter: 500,
  topVideos: 200,
  /** Per project and day, which ends at midnight in California. */
  quota: { uploads: 100, units: 10_000 },
  units: { list: 1, insert: 50, delete: 50 },
} as const;

export const failureReasons = ['codec', 'conversion', 'emptyFile', 'invalidFile', 'tooSmall', 'uploadAborted'];
export const rejectionReasons = ['claim', 'copyright', 'duplicate', 'inappropriate', 'legal', 'length', 'termsOfUse', 'trademark'];

export const hosts = {
  api: 'www.googleapis.com',
  root: 'youtube.googleapis.com',
  analytics: 'youtubeanalytics.googleapis.com',
  web: 'www.youtube.com',
  short: 'youtu.be',
};
export const apiHosts = [hosts.api, hosts.root];

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
/** The scopes that each kind of call accepts. */
export const scopesFor = {
  upload: [scope('youtube.upload'), scope('youtube'), scope('youtube.force-ssl')],
  comment: [scope('youtube.force-ssl')],
  delete: [scope('youtube'), scope('youtube.force-ssl'), scope('youtubepartner')],
  read: [scope('youtube.readonly'), scope('youtube'), scope('youtube.force-ssl')],
  /** Revenue reports require one of these in addition to one for reading. */
  analytics: [scope('yt-analytics.readonly'), scope('yt-analytics-monetary.readonly')],
};
export const scopes = [...new Set(Object.values(scopesFor).flat()), scope('youtubepartner')];
