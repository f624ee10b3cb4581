/** For the operations that end our access to accounts: what platforms let us revoke. It is true of every platform, so it does not name them. */
export const REVOKING =
  'On some platforms, revoking ends all access that a person has granted. There, access that another connected account uses, or could use, is kept until that ' +
  'account is disconnected too. Other platforms have no call to revoke access: the person can remove the app in the settings of the platform.';
