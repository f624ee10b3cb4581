/** For the operations that end our access to accounts: what the platforms let us revoke. */
export const REVOKING =
  'Access that another connected account uses, or could use, is kept until that account is disconnected too: Facebook, Instagram and Google revoke everything ' +
  'that a person granted. Pinterest, and Instagram accounts that were connected with Instagram Login, have no call for this: the person can remove the app in ' +
  'their settings there.';
