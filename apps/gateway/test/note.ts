import type { CallMetadata } from '@fanfare/rpc';

/** Records a request, and throws the error that the test wants for it. */
export type Note = (method: string, request: unknown, call: { readonly metadata: CallMetadata }) => void;
