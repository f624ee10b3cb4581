import { z } from 'zod';
import type { Caller, SessionDocument } from '../../accounts/index.ts';
import { timestamp } from '../common/timestamp.ts';

export const session = z
  .object({
    id: z.uuid(),
    current: z.boolean().meta({ description: 'Whether this is the session of the request.' }),
    ip: z.string().nullable().meta({ description: 'The IP address at the last refresh of the tokens.', example: '203.0.113.7' }),
    user_agent: z.string().nullable(),
    created_at: timestamp(),
    last_used_at: timestamp().meta({ description: 'When the session was last used, up to ten minutes late.' }),
    expires_at: timestamp(),
  })
  .meta({ id: 'Session' });

/** @param currentId id of the caller's session */
export function sessionFromStore(document: SessionDocument, currentId: string | undefined): z.input<typeof session> {
  return {
    id: document._id,
    current: document._id === currentId,
    ip: document.ip || null,
    user_agent: document.user_agent || null,
    created_at: document.created_at.toISOString(),
    last_used_at: document.updated_at.toISOString(),
    expires_at: document.expires_at.toISOString(),
  };
}

/** The session of a caller, on routes that only users can call. */
export function sessionIdOf({ sessionId }: Caller): string {
  if (sessionId === undefined) throw new Error('A signed-in user has no session.');
  return sessionId;
}
