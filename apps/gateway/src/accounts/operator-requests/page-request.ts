/** A page that an operator asks for, of a size that there is. */
export const pageRequest = ({ pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string }) => ({
  pageSize: Math.min(Math.max(pageSize, 1), 100),
  pageToken,
});
