import { primaryOf } from '../../input/language-of.ts';

export type Tone = 'plain' | 'friendly' | 'professional' | 'playful' | 'inspiring';

/** The phrases around the sentences of a source, in one language. */
export interface Phrases {
  /** Before a headline, in turn; an empty one adds nothing. */
  readonly openings: readonly string[];
  /** At the end of a caption, by tone, in turn. */
  readonly closings: Readonly<Record<Tone, readonly string[]>>;
  /** On the first page of a carousel. */
  readonly swipe: string;
  /** On a button. */
  readonly button: string;
}

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    openings: ['', 'Today: ', 'Worth knowing: ', 'In short: ', 'A closer look: '],
    closings: {
      plain: ['Find out more.', 'Tell us what you think.'],
      friendly: ['What do you think? Tell us in the comments.', 'Come and say hello.', 'Share this with a friend who would like it.'],
      professional: ['Get in touch to learn more.', 'We are glad to answer your questions.'],
      playful: ['Who is in?', 'Tag somebody who needs to see this!', 'Tell us we are not the only ones.'],
      inspiring: ['What will you begin with today?', 'Small steps count.'],
    },
    swipe: 'Swipe',
    button: 'Learn more',
  },
  de: {
    openings: ['', 'Heute: ', 'Gut zu wissen: ', 'Kurz gesagt: ', 'Genauer hingesehen: '],
    closings: {
      plain: ['Mehr dazu bei uns.', 'Was meint ihr dazu?'],
      friendly: ['Was meint ihr? Schreibt es uns in die Kommentare.', 'Kommt gern vorbei.', 'Teilt das mit jemandem, dem es gefällt.'],
      professional: ['Sprechen Sie uns gern an.', 'Ihre Fragen beantworten wir gern.'],
      playful: ['Wer ist dabei?', 'Markiert jemanden, der das sehen muss!'],
      inspiring: ['Womit fangt ihr heute an?', 'Kleine Schritte zählen.'],
    },
    swipe: 'Weiter',
    button: 'Mehr erfahren',
  },
  fr: {
    openings: ['', 'Aujourd’hui : ', 'Bon à savoir : ', 'En bref : ', 'De plus près : '],
    closings: {
      plain: ['En savoir plus chez nous.', 'Qu’en pensez-vous ?'],
      friendly: ['Qu’en pensez-vous ? Dites-le en commentaire.', 'Passez nous voir.', 'Partagez avec quelqu’un à qui cela plairait.'],
      professional: ['Contactez-nous pour en savoir plus.', 'Nous répondons volontiers à vos questions.'],
      playful: ['Qui est partant ?', 'Identifiez quelqu’un qui doit voir ça !'],
      inspiring: ['Par quoi commencez-vous aujourd’hui ?', 'Chaque petit pas compte.'],
    },
    swipe: 'Faites défiler',
    button: 'En savoir plus',
  },
  es: {
    openings: ['', 'Hoy: ', 'Conviene saberlo: ', 'En pocas palabras: ', 'Más de cerca: '],
    closings: {
      plain: ['Descubre más.', '¿Qué te parece?'],
      friendly: ['¿Qué te parece? Cuéntanoslo en los comentarios.', 'Ven a vernos.', 'Compártelo con alguien a quien le guste.'],
      professional: ['Póngase en contacto para saber más.', 'Respondemos con gusto a sus preguntas.'],
      playful: ['¿Quién se apunta?', '¡Etiqueta a quien tenga que ver esto!'],
      inspiring: ['¿Por dónde empiezas hoy?', 'Cada pequeño paso cuenta.'],
    },
    swipe: 'Desliza',
    button: 'Más información',
  },
  pt: {
    openings: ['', 'Hoje: ', 'Bom saber: ', 'Em poucas palavras: ', 'Mais de perto: '],
    closings: {
      plain: ['Saiba mais.', 'O que acha?'],
      friendly: ['O que acha? Conte-nos nos comentários.', 'Venha visitar-nos.', 'Partilhe com quem vai gostar.'],
      professional: ['Fale connosco para saber mais.', 'Respondemos com gosto às suas perguntas.'],
      playful: ['Quem alinha?', 'Marque alguém que precisa de ver isto!'],
      inspiring: ['Por onde começa hoje?', 'Cada pequeno passo conta.'],
    },
    swipe: 'Deslize',
    button: 'Saber mais',
  },
  it: {
    openings: ['', 'Oggi: ', 'Da sapere: ', 'In breve: ', 'Più da vicino: '],
    closings: {
      plain: ['Scopri di più.', 'Che ne pensi?'],
      friendly: ['Che ne pensi? Scrivilo nei commenti.', 'Vieni a trovarci.', 'Condividilo con chi potrebbe apprezzarlo.'],
      professional: ['Contattateci per saperne di più.', 'Rispondiamo volentieri alle vostre domande.'],
      playful: ['Chi ci sta?', 'Tagga chi deve vederlo!'],
      inspiring: ['Da dove cominci oggi?', 'Ogni piccolo passo conta.'],
    },
    swipe: 'Scorri',
    button: 'Scopri di più',
  },
  nl: {
    openings: ['', 'Vandaag: ', 'Goed om te weten: ', 'In het kort: ', 'Van dichtbij: '],
    closings: {
      plain: ['Lees er meer over bij ons.', 'Wat vind je ervan?'],
      friendly: ['Wat vind je ervan? Laat het weten in de reacties.', 'Kom gerust langs.', 'Deel dit met iemand die het leuk vindt.'],
      professional: ['Neem contact op voor meer informatie.', 'Wij beantwoorden uw vragen graag.'],
      playful: ['Wie doet er mee?', 'Tag iemand die dit moet zien!'],
      inspiring: ['Waar begin je vandaag mee?', 'Elke kleine stap telt.'],
    },
    swipe: 'Swipe',
    button: 'Meer weten',
  },
  ja: {
    openings: ['', '本日の話題：', '知っておきたいこと：', 'ひとことで：', 'もっと詳しく：'],
    closings: {
      plain: ['詳しくはお問い合わせください。', 'ご感想をお聞かせください。'],
      friendly: ['コメントでご感想をお聞かせください。', 'ぜひお立ち寄りください。'],
      professional: ['詳細はお気軽にお問い合わせください。', 'ご質問をお待ちしております。'],
      playful: ['気になる人は？', '見せたい人をタグ付けしてください！'],
      inspiring: ['今日は何から始めますか。', '小さな一歩から。'],
    },
    swipe: 'スワイプ',
    button: '詳しく見る',
  },
  ar: {
    openings: ['', 'اليوم: ', 'من المفيد أن تعرف: ', 'باختصار: ', 'نظرة أقرب: '],
    closings: {
      plain: ['اعرف المزيد.', 'ما رأيك؟'],
      friendly: ['ما رأيك؟ أخبرنا في التعليقات.', 'تفضل بزيارتنا.'],
      professional: ['تواصلوا معنا لمعرفة المزيد.', 'يسعدنا الرد على أسئلتكم.'],
      playful: ['من معنا؟', 'أشر إلى من يجب أن يرى هذا!'],
      inspiring: ['بماذا تبدأ اليوم؟', 'كل خطوة صغيرة مهمة.'],
    },
    swipe: 'مرر',
    button: 'اعرف المزيد',
  },
  hi: {
    openings: ['', 'आज: ', 'जानने योग्य: ', 'संक्षेप में: ', 'करीब से: '],
    closings: {
      plain: ['और जानें।', 'आपकी क्या राय है?'],
      friendly: ['आपकी क्या राय है? टिप्पणी में बताएँ।', 'हमसे मिलने आएँ।'],
      professional: ['अधिक जानकारी के लिए संपर्क करें।', 'आपके प्रश्नों का स्वागत है।'],
      playful: ['कौन तैयार है?', 'जिसे यह देखना चाहिए उसे टैग करें!'],
      inspiring: ['आज आप किससे शुरुआत करेंगे?', 'हर छोटा कदम मायने रखता है।'],
    },
    swipe: 'स्वाइप करें',
    button: 'और जानें',
  },
};

/** For other languages there are no phrases: languages are never mixed. */
const NOTHING: Phrases = {
  openings: [''],
  closings: { plain: [''], friendly: [''], professional: [''], playful: [''], inspiring: [''] },
  swipe: '→',
  button: '',
};

export const phrasesFor = (language: string): Phrases => PHRASES[primaryOf(language)] ?? NOTHING;

/** Whether there are phrases in a language; otherwise the tone has no effect. */
export const hasPhrases = (language: string): boolean => primaryOf(language) in PHRASES;

/** Words that name a tone, in the languages that have phrases. The first tone that matches counts. */
const SIGNS: readonly (readonly [Tone, RegExp])[] = [
  [
    'playful',
    /play|\bfun|witty|humou?r|cheeky|quirky|joke|verspielt|lustig|witzig|frech|ludique|dr[ôo]le|amusant|espi[èe]gle|divertid|graci[oó]s|juguet|brincalh|engra[cç]ad|giocos|divertent|spiritos|speels|grappig|楽し|遊び心|ユーモア|مرح|فكاه|طريف|चंचल|मज़ेदार|मजेदार|हास्य/i,
  ],
  [
    'professional',
    /profes|(?<!in)formal|expert|serious|corporate|authorit|sachlich|förmlich|seriös|s[ée]rieux|(?<!in)formel|serio|profissional|zakelijk|formeel|serieus|専門|プロ|フォーマル|真面目|丁寧|مهني|رسمي|احتراف|पेशेवर|औपचारिक|गंभीर/i,
  ],
  [
    'inspiring',
    /inspir|motiv|uplift|encourag|begeister|ermutig|encourage|alentador|encoraj|incoragg|ispir|aanmoedig|励|やる気|感動|ملهم|تحفيز|प्रेरक|प्रेरणा|उत्साह/i,
  ],
  [
    'friendly',
    /friend|warm|casual|welcom|kind|cosy|cozy|approachable|freundlich|herzlich|locker|nahbar|amical|chaleureu|convivial|amable|amigable|cercan|c[áa]lid|amig[áa]vel|acolhedor|simp[áa]tic|amichevol|cordial|calor|vriendelijk|hartelijk|親しみ|親切|温か|フレンドリー|ودود|ودي|دافئ|मित्रवत|दोस्ताना|मैत्रीपूर्ण|गर्मजोश/i,
  ],
];

/** The tones that a voice can name. */
export const TONES = SIGNS.map(([tone]) => tone);

const PLAIN = /plain|neutral|simple|matter.of.fact|schlicht|neutre|sobre|sobrio|neutro|neutraal|シンプル|中立|محايد|بسيط|सरल|तटस्थ/i;

const signOf = (voice: string): Tone | undefined => SIGNS.find(([, sign]) => sign.test(voice))?.[0];

/** The tone that a description of a voice matches. */
export const toneOf = (voice: string): Tone => signOf(voice) ?? 'plain';

/** Whether a description of a voice names a tone. */
export const knowsVoice = (voice: string): boolean => signOf(voice) !== undefined || PLAIN.test(voice);
