/** What each sealed secret belongs to: it opens for nothing else, so nobody can put one document's secret into another. */
export const tokensOf = (integrationId: string) => `integration:${integrationId}`;
export const offerOf = (attemptId: string) => `connection-offer:${attemptId}`;
export const verifierOf = (connectionId: string) => `connection:${connectionId}`;
