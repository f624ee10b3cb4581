import announcement from './builtin/announcement.json' with { type: 'json' };
import bigNumber from './builtin/big-number.json' with { type: 'json' };
import boldHeadline from './builtin/bold-headline.json' with { type: 'json' };
import carouselBold from './builtin/carousel-bold.json' with { type: 'json' };
import carouselEditorial from './builtin/carousel-editorial.json' with { type: 'json' };
import carouselPhoto from './builtin/carousel-photo.json' with { type: 'json' };
import eventPoster from './builtin/event-poster.json' with { type: 'json' };
import gradientStatement from './builtin/gradient-statement.json' with { type: 'json' };
import magazineCover from './builtin/magazine-cover.json' with { type: 'json' };
import memeCaption from './builtin/meme-caption.json' with { type: 'json' };
import memeClassic from './builtin/meme-classic.json' with { type: 'json' };
import minimalNote from './builtin/minimal-note.json' with { type: 'json' };
import offer from './builtin/offer.json' with { type: 'json' };
import photoOverlay from './builtin/photo-overlay.json' with { type: 'json' };
import productArch from './builtin/product-arch.json' with { type: 'json' };
import quoteCard from './builtin/quote-card.json' with { type: 'json' };
import splitPhoto from './builtin/split-photo.json' with { type: 'json' };
import tipWave from './builtin/tip-wave.json' with { type: 'json' };
import { templateSchema, type Template } from './template.ts';

const given = {
  'bold-headline': boldHeadline,
  'photo-overlay': photoOverlay,
  'split-photo': splitPhoto,
  'quote-card': quoteCard,
  'big-number': bigNumber,
  announcement,
  'product-arch': productArch,
  'minimal-note': minimalNote,
  'event-poster': eventPoster,
  offer,
  'tip-wave': tipWave,
  'magazine-cover': magazineCover,
  'gradient-statement': gradientStatement,
  'carousel-bold': carouselBold,
  'carousel-editorial': carouselEditorial,
  'carousel-photo': carouselPhoto,
  'meme-classic': memeClassic,
  'meme-caption': memeCaption,
};

/** The built-in templates by id. */
export const BUILTIN_TEMPLATES: ReadonlyMap<string, Template> = new Map(
  Object.entries(given).map(([id, template]) => [id, templateSchema.parse(template)]),
);
