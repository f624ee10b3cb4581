import type { ClientSession, Db } from 'mongodb';
import { insertWanted, type MediaField, type Wanted } from './store/derivatives.ts';
import type { MediaDocument } from '../media/store/media.ts';
import { recipeKey, type Recipe } from './domain/recipe.ts';

const THUMBNAIL = { mime_type: 'image/jpeg', max_width: 400, max_height: 400 } as const;
const COVER = { mime_type: 'image/jpeg', frame_at_ms: 0 } as const;
export const WITHOUT_LOCATION = { without_location: true } as const;

/** Queues the standard derivatives of a media, in the transaction that inserts it. The media gets the id of each when it is ready. */
export async function enqueueDerivatives(db: Db, session: ClientSession, document: MediaDocument): Promise<void> {
  const every: [MediaField, Recipe | undefined][] = [
    ['thumbnail_id', thumbnail(document)],
    ['cover_id', document.type === 'video' ? COVER : undefined],
    ['without_location_id', document.facts?.has_location === true ? WITHOUT_LOCATION : undefined],
  ];
  const wanted = every.flatMap(([becomes, recipe]) => (recipe ? [{ ...wantedOf(document, recipe), becomes }] : []));
  await insertWanted(db, wanted, session);
}

/** Describes a derivative of a media. */
export function wantedOf(document: MediaDocument, recipe: Recipe): Wanted {
  return {
    organization_id: document.organization_id,
    business_id: document.business_id,
    media_id: document._id,
    recipe,
    recipe_key: recipeKey(document.sha256, recipe),
  };
}

function thumbnail({ type }: MediaDocument): Recipe | undefined {
  if (type === 'audio') return undefined;
  return type === 'video' ? { ...THUMBNAIL, frame_at_ms: 0 } : THUMBNAIL;
}
