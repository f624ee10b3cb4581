import { z } from 'zod';

/** Facebook needs nothing that the contract has no field for. */
export const options = z.strictObject({});
