import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import type { ImageLayer } from '../../templates/template.ts';
import type { Bounds } from '../text/lay-out.ts';
import type { Theme } from './theme.ts';
import { fillStyle } from './fill-style.ts';

/** Fills the box with the center of the image, or with a pattern in the colors of the business if there is no image. */
export function paintImage(
  context: SKRSContext2D,
  layer: ImageLayer,
  image: Canvas | undefined,
  box: Bounds,
  theme: Theme,
  shorterSide: number,
): void {
  context.save();
  context.globalAlpha = layer.opacity;
  outline(context, layer, box, (layer.radius / 100) * shorterSide);
  context.clip();
  if (image) {
    const scale = Math.max(box.width / image.width, box.height / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    context.drawImage(image, box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height);
  } else paintPattern(context, box, theme);
  if (layer.shade) {
    context.globalAlpha = layer.opacity * layer.shade.opacity;
    context.fillStyle = fillStyle(context, layer.shade.paint, theme, box);
    context.fillRect(box.x, box.y, box.width, box.height);
  }
  context.restore();
}

function outline(context: SKRSContext2D, layer: ImageLayer, { x, y, width, height }: Bounds, radius: number): void {
  context.beginPath();
  if (layer.outline === 'ellipse') context.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  else if (layer.outline === 'arch') {
    const round = Math.min(width / 2, height);
    context.roundRect(x, y, width, height, [round, round, 0, 0]);
  } else context.roundRect(x, y, width, height, Math.min(radius, width / 2, height / 2));
}

function paintPattern(context: SKRSContext2D, box: Bounds, theme: Theme): void {
  const { x, y, width, height } = box;
  context.fillStyle = fillStyle(context, { from: 'secondary', to: 'primary', angle: 60 }, theme, box);
  context.fillRect(x, y, width, height);
  const reach = Math.max(width, height);
  for (const [colour, opacity, left, top, size] of [
    [theme.accent, 0.9, 0.78, 0.24, 0.2],
    [theme.light, 0.16, 0.22, 0.74, 0.46],
    [theme.dark, 0.14, 0.86, 0.9, 0.34],
  ] as const) {
    context.globalAlpha = opacity;
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x + width * left, y + height * top, reach * size * 0.6, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}
