import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Paint } from '../../templates/template.ts';
import type { Bounds } from '../text/lay-out.ts';
import { colourOf, type Theme } from './theme.ts';

/** The canvas fill style for a color, or for a gradient across a box. */
export function fillStyle(context: SKRSContext2D, paint: Paint, theme: Theme, { x, y, width, height }: Bounds) {
  if (typeof paint === 'string') return colourOf(theme, paint);
  const angle = (paint.angle * Math.PI) / 180;
  const [across, down] = [Math.cos(angle), Math.sin(angle)];
  const reach = (Math.abs(width * across) + Math.abs(height * down)) / 2;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  const gradient = context.createLinearGradient(
    middleX - across * reach,
    middleY - down * reach,
    middleX + across * reach,
    middleY + down * reach,
  );
  gradient.addColorStop(0, colourOf(theme, paint.from));
  gradient.addColorStop(1, colourOf(theme, paint.to));
  return gradient;
}
