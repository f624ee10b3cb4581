import { z } from 'zod';

/** The response of an operation that returns only a status. @param id of its schema */
export const outcome = <S extends string>(id: string, ...states: readonly [S, ...S[]]) =>
  z.object({ status: z.enum(states) }).meta({ id, example: { status: states[0] } });

/** What a handler of such an operation returns. */
export const withStatus = <S extends string>(status: S): { body: { status: S } } => ({ body: { status } });
