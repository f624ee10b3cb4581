import type { z } from 'zod';
import { options as facebook } from './facebook/options.ts';
import { options as instagram } from './instagram/options.ts';
import type { Platform } from './platform.ts';
import { options as x } from './x/options.ts';

/**
 * What callers may say to each platform alone, as the connectors have it too. Apart from them, so that who only checks it does not load all that
 * publishes.
 */
export const platformOptions: Readonly<Partial<Record<Platform, z.ZodObject>>> = { facebook, instagram, x };
