import { DomainError } from '@fanfare/errors';
import { pageOf, parsePageToken } from '@fanfare/mongo';
import { BUILTIN_KNOWN, knownOf } from '../templates/find-template.ts';
import { listOwnTemplates } from '../templates/store/own-templates.ts';
import { TEMPLATE_FORMATS } from '../templates/template.ts';
import { toTemplate } from '../templates/to-template.ts';
import type { Rpc } from './rpc.ts';

/** The token for the start of the built-in templates, which follow all custom ones. */
const EPOCH = new Date(0);

/** Custom templates, newest first, then the built-in ones in their order. A token names the last template of its page. */
export const listTemplates: Rpc<'listTemplates'> =
  ({ db }) =>
  async ({ pageSize, pageToken, format: given }, { metadata }) => {
    const format = TEMPLATE_FORMATS.find((one) => one === given);
    if (given !== '' && !format)
      throw new DomainError('invalid_value', `format must be one of ${TEMPLATE_FORMATS.join(', ')}.`, { param: 'format' });
    const binding = ['templates', metadata.businessId, format ?? ''];
    const builtin = BUILTIN_KNOWN.filter(({ definition }) => format === undefined || definition.format === format);
    const position = parsePageToken(pageToken, binding);
    const isPastOwn = position?.createdAt.getTime() === 0;
    const own = isPastOwn ? { rows: [], nextPageToken: '' } : await listOwnTemplates(db, metadata, { format, pageSize, pageToken });
    const rows = own.rows.map((row) => ({ _id: row._id, created_at: row.created_at, known: knownOf(row) }));
    const after = isPastOwn ? builtin.findIndex(({ id }) => id === position.id) + 1 : 0;
    const more = own.nextPageToken === '' ? builtin.slice(after) : [];
    const all = [...rows, ...more.map((known) => ({ _id: known.id, created_at: EPOCH, known }))];
    const page = pageOf(all, pageSize, binding);
    return {
      templates: page.rows.map(({ known }) => toTemplate(known, false)),
      nextPageToken: own.nextPageToken === '' ? page.nextPageToken : own.nextPageToken,
    };
  };
