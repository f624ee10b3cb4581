import type { ErrorCode } from '@fanfare/errors';

/** Every URL in responses. */
export interface Urls {
  /** The API's own URL of a path. */
  api(path: string): string;
  /** The `type` of a problem. */
  error(code: ErrorCode): string;
  /** A post in the web app. */
  consolePost(businessId: string, postId: string): string;
  /** Where a person reconnects an account, in the web app. */
  consoleReconnect(businessId: string, integrationId: string): string;
  /** The scheduled posts of a business in the web app. */
  consoleScheduledPosts(businessId: string): string;
}

export function createUrls({ baseUrl, consoleUrl }: { readonly baseUrl: string; readonly consoleUrl: string }): Urls {
  return {
    api: (path) => baseUrl + path,
    error: (code) => `${baseUrl}/errors/${code}`,
    consolePost: (businessId, postId) => `${consoleUrl}/businesses/${businessId}/posts/${postId}`,
    consoleReconnect: (businessId, integrationId) => `${consoleUrl}/businesses/${businessId}/integrations/${integrationId}/reconnect`,
    consoleScheduledPosts: (businessId) => `${consoleUrl}/businesses/${businessId}/posts?status=SCHEDULED`,
  };
}
