import { bearer } from '../../../test/conversations/conversations.ts';
import { secrets } from '../../../test/secrets.ts';

export const granted = (scope: string) => ({ json: { ...bearer, refresh_token: secrets.granted, scope } });

export const googleRejection = (message: string, more: object = {}) => ({
  error: { code: 400, message, status: 'INVALID_ARGUMENT', ...more },
});
