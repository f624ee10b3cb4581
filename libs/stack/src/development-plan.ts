/** The limits of the default plan, multiplied by a thousand. */
export const developmentPlan = {
  id: 'development',
  apiAccess: true,
  requestsPerMinute: 100 * 1000,
  requestsPerDay: 2_000 * 1000,
  requestsPerWeek: 10_000 * 1000,
  userRequestsPerMinute: 600 * 1000,
  userRequestsPerDay: 20_000 * 1000,
  userRequestsPerWeek: 80_000 * 1000,
  generatedPostsPerMonth: 200 * 1000,
  creditsPerMonth: 200 * 1000,
  storageBytes: 10 * 1024 ** 3 * 1000,
  storageFiles: 10_000 * 1000,
};
