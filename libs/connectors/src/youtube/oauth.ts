import type { OAuth } from '../oauth.ts';
import { listAt, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import { exchangeGoogleCode, loginUrl, refreshGoogleTokens, revokeGoogleTokens, revokes } from '../google/google-login.ts';
import { rules } from './errors.ts';
import { API_URL, features } from './limits.ts';

/** Sign-in with Google: the person chooses the channel on Google's page, and the token is for that channel. */
export const oauth: OAuth = {
  features,
  pkce: true,
  authorizeUrl: loginUrl(features),
  async exchangeCode(http, app, request) {
    const { tokens, person } = await exchangeGoogleCode(http, app, request);
    const query = { part: 'snippet', mine: 'true' };
    const response = await googleCall({ http, account: tokens }, { method: 'GET', url: `${API_URL}/channels`, query }, rules);
    return listAt(response, 'items').map((channel) => {
      const accountId = requiredAt(channel, 'id');
      const displayName = stringAt(channel, 'snippet', 'title') ?? accountId;
      const pictureUrl = webUrl(stringAt(channel, 'snippet', 'thumbnails', 'default', 'url'));
      return {
        accountId,
        // The handle; old channels may have none.
        username: stringAt(channel, 'snippet', 'customUrl')?.replace(/^@/, '') ?? displayName,
        displayName,
        page: '',
        ...(pictureUrl !== undefined && { pictureUrl }),
        ...person,
        tokens,
      };
    });
  },
  refresh: (http, app, { tokens }) => refreshGoogleTokens(http, app, tokens),
  revokes,
  revoke: (http, _app, { tokens }) => revokeGoogleTokens(http, tokens),
};
