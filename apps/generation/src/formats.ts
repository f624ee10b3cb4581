/** The formats of creatives, with their names in the API. */
export const CREATIVE_FORMATS = ['design', 'carousel', 'meme', 'image', 'gif', 'video', 'ai-image', 'ai-video'] as const;
export type CreativeFormat = (typeof CREATIVE_FORMATS)[number];

export const isCreativeFormat = (name: string): name is CreativeFormat => (CREATIVE_FORMATS as readonly string[]).includes(name);
