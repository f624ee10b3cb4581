import type { PageContent } from '../rendering/paint-page.ts';
import { slotsOf, type Page } from './template.ts';

/** Texts in scripts with different directions, shaping and line breaking. */
export const SAMPLES = {
  latin: {
    language: 'en',
    label: 'New this week',
    headline: 'Fresh sourdough from seven every morning',
    body: 'Three loaves, one starter, and flour from the mill down the road. Come early: it sells out by ten.',
    author: 'A regular since 2019',
    number: '24 h',
    cta: 'Order today',
  },
  arabic: {
    language: 'ar',
    label: 'جديد هذا الأسبوع',
    headline: 'خبز طازج كل صباح من الساعة السابعة',
    body: 'ثلاثة أرغفة وخميرة واحدة ودقيق من الطاحونة المجاورة. تعال مبكراً.',
    author: 'زبون دائم منذ 2019',
    number: '٢٤',
    cta: 'اطلب اليوم',
  },
  japanese: {
    language: 'ja',
    label: '今週の新作',
    headline: '焼きたてのサワードウを毎朝七時から 🥐',
    body: '三種類のパンと一つの酵母、近くの製粉所の小麦粉。十時には売り切れます。',
    author: '常連のお客様',
    number: '24時間',
    cta: '今すぐ注文',
  },
  devanagari: {
    language: 'hi',
    label: 'इस सप्ताह नया',
    headline: 'हर सुबह सात बजे से ताज़ी रोटी',
    body: 'तीन रोटियाँ, एक ख़मीर, और पास की चक्की का आटा। जल्दी आइए।',
    author: 'नियमित ग्राहक',
    number: '२४',
    cta: 'आज ही मँगाएँ',
  },
  thai: {
    language: 'th',
    label: 'ใหม่สัปดาห์นี้',
    headline: 'ขนมปังซาวโดว์อบสดใหม่ทุกเช้าตั้งแต่เจ็ดโมง',
    body: 'ขนมปังสามก้อน หัวเชื้อหนึ่งเดียว และแป้งจากโรงโม่ใกล้บ้าน มาแต่เช้านะ หมดก่อนสิบโมง',
    author: 'ลูกค้าประจำ',
    number: '24 ชม.',
    cta: 'สั่งวันนี้',
  },
} as const;
export type Script = keyof typeof SAMPLES;
export const SCRIPTS = Object.keys(SAMPLES) as Script[];

/** Sample content for all slots of a page. */
export function sampleContent(page: Page, script: Script): PageContent {
  const { label, headline, body, author, number, cta } = SAMPLES[script];
  const all = { label, headline, body, quote: headline, author, number, cta, top: headline, bottom: cta };
  const texts = Object.fromEntries(slotsOf(page).map((slot) => [slot, all[slot]]));
  return { texts, image: undefined, page: 2, pages: 5 };
}
