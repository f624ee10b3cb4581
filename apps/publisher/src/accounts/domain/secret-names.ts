/** Binds each encrypted secret to its document: it cannot be decrypted if it is copied into another one. */
export const tokensOf = (integrationId: string) => `integration:${integrationId}`;
export const offerOf = (attemptId: string) => `connection-offer:${attemptId}`;
export const verifierOf = (connectionId: string) => `connection:${connectionId}`;
