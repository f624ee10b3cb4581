import type { SKRSContext2D } from '@napi-rs/canvas';
import { LEAST_PATTERN, type ShapeLayer } from '../../templates/template.ts';
import type { Bounds } from '../text/lay-out.ts';
import type { Theme } from './theme.ts';
import { fillStyle } from './fill-style.ts';

/** @param shorterSide shorter side of the canvas in pixels */
export function paintShape(context: SKRSContext2D, layer: ShapeLayer, box: Bounds, theme: Theme, shorterSide: number): void {
  context.save();
  context.globalAlpha = layer.opacity;
  context.translate(box.x + box.width / 2, box.y + box.height / 2);
  context.rotate((layer.rotation * Math.PI) / 180);
  const local = { x: -box.width / 2, y: -box.height / 2, width: box.width, height: box.height };
  const style = fillStyle(context, layer.paint, theme, local);
  context.fillStyle = style;
  context.strokeStyle = style;
  // Templates that were stored before this limit can have finer patterns.
  const thickness = layer.shape === 'dots' || layer.shape === 'stripes' ? Math.max(layer.thickness, LEAST_PATTERN) : layer.thickness;
  context.lineWidth = (thickness / 100) * shorterSide;
  DRAW[layer.shape](context, local, (layer.radius / 100) * shorterSide);
  context.restore();
}

const DRAW: Readonly<Record<ShapeLayer['shape'], (context: SKRSContext2D, box: Bounds, radius: number) => void>> = {
  rect(context, { x, y, width, height }, radius) {
    context.beginPath();
    context.roundRect(x, y, width, height, Math.min(radius, width / 2, height / 2));
    context.fill();
  },
  frame(context, { x, y, width, height }, radius) {
    const inset = context.lineWidth / 2;
    context.beginPath();
    context.roundRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset, Math.min(radius, width / 2, height / 2));
    context.stroke();
  },
  ellipse(context, { width, height }) {
    context.beginPath();
    context.ellipse(0, 0, width / 2, height / 2, 0, 0, 2 * Math.PI);
    context.fill();
  },
  ring(context, { width, height }) {
    context.beginPath();
    context.ellipse(0, 0, Math.max(1, (width - context.lineWidth) / 2), Math.max(1, (height - context.lineWidth) / 2), 0, 0, 2 * Math.PI);
    context.stroke();
  },
  triangle(context, { x, y, width, height }) {
    context.beginPath();
    context.moveTo(x, y + height);
    context.lineTo(x + width, y + height);
    context.lineTo(x, y);
    context.closePath();
    context.fill();
  },
  dots(context, { x, y, width, height }) {
    const size = context.lineWidth;
    const gap = size * 3;
    for (let down = y + size / 2; down <= y + height - size / 2 + 0.01; down += gap)
      for (let across = x + size / 2; across <= x + width - size / 2 + 0.01; across += gap) {
        context.beginPath();
        context.arc(across, down, size / 2, 0, 2 * Math.PI);
        context.fill();
      }
  },
  stripes(context, { x, y, width, height }) {
    const size = context.lineWidth;
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.beginPath();
    for (let across = x - height; across < x + width; across += size * 2.4) {
      context.moveTo(across, y + height);
      context.lineTo(across + height, y);
    }
    context.stroke();
  },
  wave(context, { x, y, width, height }) {
    const crest = height * 0.22;
    context.beginPath();
    context.moveTo(x, y + crest);
    context.bezierCurveTo(x + width * 0.3, y - crest, x + width * 0.6, y + 3 * crest, x + width, y + crest);
    context.lineTo(x + width, y + height);
    context.lineTo(x, y + height);
    context.closePath();
    context.fill();
  },
  /** A quarter of a disc around the bottom left corner. */
  arc(context, { x, y, width, height }) {
    context.beginPath();
    context.moveTo(x, y + height);
    context.ellipse(x, y + height, width, height, 0, -Math.PI / 2, 0);
    context.closePath();
    context.fill();
  },
  'quote-mark'(context, { x, y, width, height }) {
    const size = Math.min(width / 2.15, height / 1.3);
    for (const left of [x, x + size * 1.15]) {
      context.beginPath();
      context.arc(left + size / 2, y + size * 0.8, size / 2, 0, 2 * Math.PI);
      context.fill();
      context.beginPath();
      context.moveTo(left, y + size * 0.8);
      context.quadraticCurveTo(left + size * 0.02, y + size * 0.12, left + size * 0.72, y);
      context.lineTo(left + size * 0.8, y + size * 0.2);
      context.quadraticCurveTo(left + size * 0.36, y + size * 0.34, left + size * 0.36, y + size * 0.62);
      context.closePath();
      context.fill();
    }
  },
};
