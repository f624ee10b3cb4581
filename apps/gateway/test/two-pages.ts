/** There are two pages, and all is on the first one. */
export const pageOf = <T>(all: readonly T[], { pageToken }: { readonly pageToken: string }): T[] => (pageToken === 'more' ? [] : [...all]);
export const tokenAfter = ({ pageToken }: { readonly pageToken: string }): string => (pageToken === 'more' ? '' : 'more');
