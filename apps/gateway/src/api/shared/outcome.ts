import { z } from 'zod';

/** The answer of an operation that has nothing to show. @param id of its schema */
export const outcome = <S extends string>(id: string, ...states: readonly [S, ...S[]]) =>
  z.object({ status: z.enum(states) }).meta({ id, example: { status: states[0] } });

/** What a handler of such an operation answers with. */
export const said = <S extends string>(status: S): { body: { status: S } } => ({ body: { status } });
