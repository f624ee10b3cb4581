import type { Name } from './flows/index.ts';

const graph = (message: string) => ({ error: { message, type: 'OAuthException', code: 100 } });
const google = (message: string, more: object = {}) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT', ...more } });

/** The platform's own no, in the words of its API: the request is wrong. */
export const refusals: { readonly [Platform in Name]: (message: string) => object } = {
  facebook: graph,
  google_business: google,
  instagram: graph,
  linkedin: (message) => ({ status: 400, code: 'ILLEGAL_ARGUMENT', message }),
  pinterest: (message) => ({ code: 1, message }),
  tiktok: (message) => ({ data: {}, error: { code: 'invalid_params', message, log_id: '1' } }),
  x: (detail) => ({ type: 'https://api.x.com/2/problems/invalid-request', title: 'Invalid Request', detail }),
  youtube: (message) => google(message, { errors: [{ domain: 'global', reason: 'badRequest' }] }),
};
