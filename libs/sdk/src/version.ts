/** The version of this library; a test holds it to package.json. */
export const SDK_VERSION = '0.1.0';

/**
 * Names this library to the API, as `fanfare-sdk/0.1.0 node/24.21.0`. Undefined in browsers: they name themselves, and a header of ours would cost every
 * request a CORS preflight that the API does not allow.
 */
export function userAgent(runtime: { node?: string } = typeof process === 'undefined' ? {} : process.versions): string | undefined {
  return runtime.node === undefined ? undefined : `fanfare-sdk/${SDK_VERSION} node/${runtime.node}`;
}
