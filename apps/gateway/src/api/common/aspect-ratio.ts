import { z } from 'zod';

export const ASPECT_RATIOS = ['1:1', '4:5', '9:16', '16:9'] as const;

export const aspectRatio = () => z.enum(ASPECT_RATIOS).meta({ description: 'Width to height.', example: '4:5' });
