/** The page of a list that an operator requests, with a valid size. */
export const pageRequest = ({ pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string }) => ({
  pageSize: Math.min(Math.max(pageSize, 1), 100),
  pageToken,
});
