/** The Accept header. What a server sends is detected by content. */
export const ACCEPTED_MEDIA = 'image/*, video/*, audio/*';
