/** Providers of generated texts, images and videos, and of stock photos. */
export type ProviderName = 'openai' | 'pexels';
