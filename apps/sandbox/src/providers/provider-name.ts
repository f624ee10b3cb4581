/** Providers that make or find what posts show and say. */
export type ProviderName = 'openai' | 'pexels';
