import { z } from 'zod';
import type { Shape } from '../../http/route.ts';

/** A kind of entry: what it means, its details, and a sentence that says what happened. */
export interface Kind<S extends Shape = Shape> {
  readonly description: string;
  readonly details: S;
  summary(details: z.output<z.ZodObject<S>>, where: string): string;
  /** The details of the example. */
  readonly example: z.input<z.ZodObject<S>>;
}

/** Keeps the types of the details. @param where in `summary`: the platform's name, if the entry is about one */
export const kind = <S extends Shape>(definition: Kind<S>): Kind => definition;

export const text = (description: string) => z.string().meta({ description });
export const time = (description: string) => z.string().meta({ format: 'date-time', description });
export const errorType = () =>
  z.string().nullable().meta({ description: 'The same values as `error_type` in `publish_results`.', example: 'permission_denied' });

/** `, because …` for a reason that may be absent. */
export const because = (reason: string | null): string => (reason === null ? '.' : `: ${reason}`);

/** `3 accounts`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
