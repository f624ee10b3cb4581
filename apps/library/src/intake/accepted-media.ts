/** What servers are asked for. What they send is told by its bytes. */
export const ACCEPTED_MEDIA = 'image/*, video/*, audio/*';
