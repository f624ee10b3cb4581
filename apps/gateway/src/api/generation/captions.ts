import { z } from 'zod';
import { ownId, text } from '../../text/text.ts';
import { platformName } from '../platforms/platform-name.ts';

export const suggestBody = z
  .strictObject({
    caption: text(5_000).nullish().meta({ description: 'What the captions are about. Send `caption`, `media_id` or both.' }),
    media_id: ownId()
      .nullish()
      .meta({ description: 'A media file of this business: the captions are about its alternative text and description.' }),
    platform: platformName().nullish().meta({ description: 'The captions stay within the limit of this platform.' }),
    tone: text(500).nullish().meta({ description: "How the captions sound. Default: the business's `tone`.", example: 'playful' }),
    count: z.int().min(1).max(5).default(3),
  })
  .meta({ id: 'SuggestCaptions' });

export const suggestions = z
  .object({
    captions: z.array(
      z
        .object({
          caption: z.string().meta({ description: 'Includes the hashtags.' }),
          characters: z.int().meta({ description: 'The length as the platform counts it.' }),
          hashtags: z.array(z.string()).meta({ description: 'Without #.' }),
        })
        .meta({ id: 'SuggestedCaption' }),
    ),
    composer: z.string().meta({ description: '`embedded`, or the name of the language model.' }),
  })
  .meta({ id: 'SuggestedCaptions' });
