import type { Platform } from '@fanfare/connectors';
import { languageOf } from '../../input/language-of.ts';
import type { Brief } from '../composer.ts';
import { fitPlatform, wholeCaption } from '../fit-platforms.ts';
import { writeCopy } from './write-copy.ts';

const MAX_TITLE = 200;

/** Captions about a text that differ in opening, closing and order of sentences. */
export async function writeCaptions(of: {
  about: string;
  brief: Brief;
  platform: Platform | undefined;
  tone: string;
  count: number;
}): Promise<string[]> {
  const { about, platform, tone, count } = of;
  const text = about.replaceAll(/(?<![\p{L}\p{N}_&])#[\p{L}\p{M}\p{N}_]+/gu, ' ').trim() || about;
  const language = await languageOf(text, of.brief.language);
  const source = { kind: 'text', title: '', text, language, url: '' } as const;
  const brief = { ...of.brief, voice: tone, platforms: [] };
  const [first = text] = text.split(/(?<=[.!?。！？؟।])\s|\n/);
  const idea = { title: first.trim().slice(0, MAX_TITLE), summary: text, imageKeyword: '', topic: undefined };
  const captions = new Set<string>();
  for (let index = 0; captions.size < count && index < count * 3; index++) {
    const { caption, hashtags } = await writeCopy({ source, brief, idea, format: 'image', index });
    const body = caption.replace(/\n\n(#\S+ ?)+$/, '');
    captions.add(platform ? fitPlatform({ body, hashtags }, platform) : wholeCaption({ body, hashtags }));
  }
  return [...captions];
}
